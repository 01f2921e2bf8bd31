# Programs whose overheads are known: known/NAME.c, each with its runs and the truth in comments (lib_known.sh).
# KNOWN='tasks lock' in the environment runs only those.
. "$(dirname "$0")/lib.sh"
. "$DATA/lib_known.sh"

for file in "$DATA"/known/*.c; do
	name=$(basename "$file" .c)
	case " ${KNOWN:-$name} " in *" $name "*) ;; *) continue ;; esac
	known_program "$file" "gcc -O2" -O2
	known_program "$file" "gcc -O0" -O0 -g
	! command -v clang-19 >/dev/null || known_by_clang "$file" "clang -O2" -O2
done
