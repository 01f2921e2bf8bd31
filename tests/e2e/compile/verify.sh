# SPDX-License-Identifier: BSD-3-Clause
# sisc --sis-verify checks that an instrumented text is its source and probes. A text with
# anything else is not used.
. "$(dirname "$0")/../lib.sh"
unset SISC_VERIFY

# This compiler gives another value to a macro when it is asked for its macros.
cat >two_faces <<'END'
#!/bin/sh
for word; do [ "$word" = -dD ] && exec gcc -DV=1 "$@"; done
exec gcc -DV=2 "$@"
END
chmod +x two_faces
source_file macro.c <<'END'
#include <stdio.h>
#define SHOW(x) do { fprintf(stdout, "%d\n", (x) + V); } while (0)
int main(void)
{
	SHOW(1);
	return 0;
}
END
source_file plain.c <<'END'
#include <stdio.h>
#if V == 1
#define TEXT "one"
#else
#define TEXT "two"
#endif
int main(void) { puts(TEXT); return 0; }
END
note="line 5 of macro.c would have '1' where the source has '2'; please report that"

measures() { # measures PROGRAM: whether a run leaves an experiment
	rm -rf out && SIS_LOG=quiet SIS_OUTPUT=out "./$1" >said && [ -d out ]
}

"$SISC" --sis-cc=./two_faces macro.c -o macro 2>notes
equal "a macro that was read in another way is found by default" "$(cat notes)" \
	"sisc: note: macro.c:5: function 'main' is not instrumented: internal error: $note"
measures macro
equal "the program is the user's" "$(cat said)" 3
check "it is not measured" [ ! -d out ]

"$SISC" --sis-cc=./two_faces --sis-verify --sis-verbose plain.c -o plain 2>log
check "a text without macros is checked on request" grep -q DSIS__VERIFY log
lacks "and used" "$(cat log)" "not instrumented"
"$SISC" --sis-cc=./two_faces --sis-verbose plain.c -o plain 2>log
lacks "and not otherwise" "$(cat log)" DSIS__VERIFY
check "such a program is measured" measures plain
equal "and prints what the compiler made of it" "$(cat said)" two
SISC_VERIFY=1 "$SISC" --sis-cc=./two_faces --sis-verbose plain.c -o plain 2>log
check "SISC_VERIFY=1 requests it, too" grep -q DSIS__VERIFY log

# Differences between two runs of a preprocessor do not count, and no file is left.
source_file times.c <<'END'
#include <stdio.h>
#define SHOW(x) do { printf("%d %s %s\n", x, __DATE__, __TIME__); } while (0)
static void later(void) { puts(__DATE__ __TIME__); }
int main(void)
{
	SHOW(__LINE__);
	later();
	return sizeof __FILE__ != 8 || sizeof __BASE_FILE__ != 8;
}
END
for compiler in gcc "${CLANG:-clang-19}"; do
	"$SISC" --sis-cc="$compiler" --sis-verify times.c -o times 2>notes
	equal "__DATE__ and __TIME__ are no difference ($compiler)" "$(cat notes)" ""
	check "and the program is measured ($compiler)" measures times
	mkdir -p kept && (cd kept && "$SISC" --sis-cc="$compiler" --sis-verify -save-temps \
		-c ../macro.c -DV=3 2>../notes)
	equal "-save-temps keeps what it keeps without sisc ($compiler)" \
		"$(ls kept | sort | tr '\n' ' ')" \
		"$(mkdir -p plainly && cd plainly &&
			"$compiler" -save-temps -c ../macro.c -DV=3 && ls | sort | tr '\n' ' ')"
	rm -rf kept plainly
done

# A source that includes the macros itself.
source_file own.c <<'END'
#include <sis/sis.h>
#include <stdio.h>
int main(void)
{
	SIS_REGION(whole);
	SIS_CR(part begin)
	puts("own");
	SIS_END
	SIS_VALUE(size, sizeof(int));
	return 0;
}
END
check "a source with sis/sis.h builds" "$SISC" --sis-verify own.c -o own
"$SISC" --sis-verify -c own.c 2>notes
equal "and differs by probes alone" "$(cat notes)" ""
