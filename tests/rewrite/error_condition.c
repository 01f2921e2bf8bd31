int main(int argc, char **argv)
{
	(void)argv;
#pragma sis cr part if(argc > 1) begin
	argc++;
#pragma sis end cr
	return argc;
}
