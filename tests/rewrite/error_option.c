/* flags: --sis-cr=CR_F,CR_LOOP --sis-pmetric=WTIM */
int main(void)
{
	return 0;
}
