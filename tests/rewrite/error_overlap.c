int main(int argc, char **argv)
{
	(void)argv;
#pragma sis cr first begin
	argc++;
#pragma sis cr second begin
	argc++;
#pragma sis end cr first
	argc++;
#pragma sis end cr second
	return argc;
}
