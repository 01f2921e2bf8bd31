/* flags: -std=c++17 -fopenmp -O1 --sis-cr=CR_F,CR_OMP,CR_STMT */
#include <cstdio>
int shared_value = 3;
template <class T> struct Base {
	T t = 1;
};
template <class T> struct Derived : Base<T> {
	T own = 2;
	int &reference = shared_value;
	T sum()
	{
		T all = 0;
#pragma omp parallel firstprivate(own, reference, Base<T>::t) reduction(+ : all)
		{
			own += 5;
			Derived::own += 6;
			Base<T>::t = 7;
			all += own + Base<T>::t + reference;
		}
		return all;
	}
};
struct Plain : Base<int> {
	int own = 4;
	int sum()
	{
		int all = 0;
#pragma omp parallel firstprivate(Plain::own, t) reduction(+ : all)
		{
			Plain::own += 2;
			Base::t = ::shared_value;
			all += own + t;
		}
		return all;
	}
};
int main()
{
	Derived<long> derived;
	Plain plain;
	std::printf("%ld %d %d %ld\n", derived.sum(), plain.sum(), plain.own, derived.own);
}
