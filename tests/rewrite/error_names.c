int main(void)
{
	int x = 0;
#pragma sis cr one, two begin
	x++;
#pragma sis end cr
#pragma sis cr three begin
	x++;
#pragma sis end cr four
	return x;
}
