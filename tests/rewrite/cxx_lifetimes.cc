/* flags: -std=c++17 -O1 --sis-cr=CR_F,CR_S,CR_STMT,CR_IO */
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
/* Objects begin and end when they did, and are copied as often. */
static int copies;
struct Loud {
	explicit Loud(int n) : n(n) { std::printf("+%d ", n); }
	Loud(const Loud &other) : n(other.n) { copies++; }
	~Loud() { std::printf("-%d ", n); }
	int n;
};
struct Immovable {
	explicit Immovable(int n) : n(n) {}
	Immovable(const Immovable &) = delete;
	int n;
};
static Loud make(int n) { Loud made(n); return made; }
static Immovable fixed(int n) { return Immovable(n); }
static const Loud &same(const Loud &l) { return l; }
static int of(const Loud &l) { return l.n; }
static std::unique_ptr<Loud> owned(int n) { return std::make_unique<Loud>(n); }
static const char *text(const std::string &s) { return s.c_str(); }
static int thrower(int n)
{
	Loud here(n);
	if (n > 2)
		throw std::runtime_error("big");
	return n;
}
int main()
{
	std::printf("%d\n", of(make(1)));
	std::printf("%s\n", text(std::string("temporary")));
	const Loud &longer = make(2);
	std::printf("%d %d\n", longer.n, same(Loud(3)).n);
	Immovable i = fixed(4);
	auto pointer = owned(5);
	std::printf("%d %d\n", i.n, pointer->n);
	make(6), std::printf("comma\n");
	for (int n = 1; n < 4; n++)
		try {
			std::printf("%d\n", thrower(n));
		} catch (const std::exception &e) {
			std::printf("%s\n", e.what());
		}
	return copies;
}
