/* annotation_names.c - names that are hard for a tool, and many names. */
#include "nvtx_client.h"

#include <stdio.h>
#include <string.h>

static void once(const char *name)
{
	push(name);
	pop();
}

static void long_names(void)
{
	char name[2000];
	memset(name, 'x', sizeof name);
	name[sizeof name - 1] = '\0';
	memcpy(name + 499, "\u20ac", 3); /* would be cut in the middle */
	once(name);
	memset(name, '\1', sizeof name - 1); /* each byte takes six in JSON */
	once(name);
}

int main(int argc, char **argv)
{
	(void)argv;
	push("names");
	once("tab\there");
	once("new\nline");
	once("say \"quote\" 'it' \\");
	once("\u00fcber \u65e5\u672c \U0001f680");
	once("not UTF-8: \xff\xfe");
	once("</script><b>");
	once("");
	once(NULL);
	push_wide(NULL);
	pop();
	push_wide(L"wide \u65e5 \U0001f680");
	pop();
	push_ex(NULL);
	pop();
	domain_push(domain_create(NULL), NVTX_ATTRIBUTES(.message_type = 0));
	domain_pop(NULL); /* ends "names", whose domain this is */
	push("more");
	long_names();
	for (int i = 0; argc > 1 && i < 20000; i++) { /* each of 10 000 names twice */
		char name[30];
		sprintf(name, "name %d", i / 2);
		once(name);
	}
	pop();
	puts("done");
	return 0;
}
