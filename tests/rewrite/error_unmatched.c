int main(void)
{
	int x = 0;
#pragma sis end cr
#pragma sis cr open begin
	x++;
	return x;
}
