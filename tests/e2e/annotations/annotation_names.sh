# SPDX-License-Identifier: BSD-3-Clause
# Names of annotations: any bytes, no name, long names, more names than there are regions for.
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_annotations.sh"
export NVTX_INJECTION64_PATH="$module"
build names "$HERE/annotation_names.c"

run_alone 1 ./names
equal "hard names: runs" "$(cat run.out run.err)" "done"
# names [FILTER]: each name as a JSON string without its quotes, and its calls
names() {
	query "[.[] | select(.type == \"CR_A\") | {region, calls}] | group_by(.region)[] |
		{region: .[0].region, calls: map(.calls) | add} | $1" regions "$EXP"
}
equal "hard names: each is one region, with its own bytes" \
	"$(names 'select((.region | length) < 40) | "\(.region | tojson) \(.calls)"' |
		grep -v 'UTF-8')" \
	"$(cat <<'END_OF_NAMES'
"</script><b>" 1
"more" 1
"names" 1
"new\nline" 1
"say \"quote\" 'it' \\" 1
"tab\there" 1
"unnamed" 4
"unnamed/unnamed" 1
"wide 日 🚀" 1
"über 日本 🚀" 1
END_OF_NAMES
	)"
equal "hard names: bytes that are no UTF-8" \
	"$(analyze regions "$EXP" | grep -c 'not UTF-8: \\xff\\xfe *CR_A')" 1
equal "hard names: long names are cut, not in a character" \
	"$(names 'select((.region | length) > 100) | "\(.region | length) \(.calls)"')" \
	"$(printf '500 1\n499 1')"
equal "hard names: no control character reaches the terminal" \
	"$(analyze regions "$EXP" --tree | tr -d '\n' | tr -cd '\000-\037' | wc -c)" 0
identity "hard names"

hard=$(names '.region | tojson' | wc -l) # they are among the first names, too
run_alone 1 ./names many
equal "many names: runs" "$(cat run.out run.err)" "done"
equal "many names: the first ones are regions, with each activation" \
	"$(query '[.[] | select(.region | startswith("name ")) | .calls] | "\(length) \(unique)"' \
		regions "$EXP")" "$((1000 - hard)) [2]"
equal "many names: the others are one region, and no activation is lost" \
	"$(($(calls 'other annotations') + $(query '[.[] |
		select(.region | startswith("name ")) | .calls] | add' regions "$EXP")))" 20000
identity "many names"
