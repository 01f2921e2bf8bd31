#pragma sis cr CR_OMPFORR, CR_F pmetric WTIMEE, ODATA_SENT
int main(void)
{
	return 0;
}
