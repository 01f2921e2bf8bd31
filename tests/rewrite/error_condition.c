#pragma sis cr CR_F if(argc > 1 && later)
static int later;
static int f(int n)
{
	return n + later;
}
int main(int argc, char **argv)
{
	(void)argv;
	{
		int hidden = argc;
		argc += hidden;
	}
#pragma sis cr part if(hidden > 1) begin
	argc++;
#pragma sis end cr
	return f(argc);
}
