#include <stdio.h>
#define TEXT(x) #x
/*
#pragma sis cr comment begin
*/
int main(void)
{
	puts("\
#pragma sis cr string begin\
");
	puts(TEXT(#pragma sis cr stringised begin));
#if 0
#pragma sis cr skipped begin
	{ {{ it's unbalanced
#endif
	char open = '{', close = '}', quote = '"';
	printf("%c%c%c }{ // /* \n", open, close, quote);
	return 0;
}
