/* flags: --sis-cr=CR_F,CR_L */
%:include <stdio.h>
int main(void)
<%
	int v<:3:> = <% 1, 2, 3 %>, s = 0;
%:pragma sis cr part begin
	for (int i = 0; i < 3; i++) <% s += v<:i:>; %>
	%:pragma sis end cr
	printf("%d\n", s);
	return 0;
%>
