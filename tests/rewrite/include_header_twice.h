#ifdef WIDE
static int wide(int n)
#else
static int narrow(int n)
#endif
{
	while (n > 3)
		n -= 2;
	return n;
}
