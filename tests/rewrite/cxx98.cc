/* flags: -std=c++98 -O1 --sis-cr=CR_F,CR_S,CR_FOR,CR_IF,CR_STMT */
#include <cstdio>
#include <vector>
template <class T> struct Stack {
	void push(const T &t) { items.push_back(t); }
	T pop();
	bool empty() const { return items.empty(); }
	std::vector<T> items;
};
template <class T> T Stack<T>::pop()
{
	T last = items.back();
	items.pop_back();
	return last;
}
static int half(int n) throw(int)
{
	if (n % 2)
		throw n;
	return n / 2;
}
int main()
{
	Stack<std::vector<int> > stacks;
	for (std::vector<int>::size_type i = 0; i < 3; i++)
		stacks.push(std::vector<int>(i, 4));
	while (!stacks.empty())
		std::printf("%d\n", int(stacks.pop().size()));
	try {
		std::printf("%d\n", half(4));
		std::printf("%d\n", half(5));
	} catch (int n) {
		std::printf("odd %d\n", n);
	}
	return 0;
}
