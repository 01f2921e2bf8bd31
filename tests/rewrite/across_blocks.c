int main(int argc, char **argv)
{
	(void)argv;
	if (argc) {
#pragma sis cr half begin
		argc++;
	}
#pragma sis end cr
	return argc;
}
