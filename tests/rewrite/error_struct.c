struct s {
#pragma sis cr inside begin
	int member;
#pragma sis end cr
};
int main(void)
{
	return sizeof(struct s) == 0;
}
