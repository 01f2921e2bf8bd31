/* flags: -std=c++14 --sis-cr=CR_F,CR_L */
/* What GCC takes and clang does not, in bodies: clang drops the statement at a directive. */
#include <cstdio>

static int ended;
struct counted {
	~counted() { ended++; }
};

template <class T> static void end(T *object)
{
#pragma sis cr ending begin
	object->~auto();
#pragma sis end cr
}

static void end_all(counted *objects, int n)
{
	for (int i = 0; i < n; i++)
		end(&objects[i]);
}

int main()
{
	alignas(counted) static char memory[3][sizeof(counted)];
#pragma sis cr whole begin
	end_all(reinterpret_cast<counted *>(memory), 2);
	std::printf("%d\n", ended);
#pragma sis measure disable
	reinterpret_cast<counted *>(memory[2])->~auto();
#pragma sis measure enable
	(new int)->~auto();
#pragma sis end cr
	std::printf("%d\n", ended);
	return 0;
}
