# SPDX-License-Identifier: BSD-3-Clause
# `sis-analyze view --live` serves the page of a program while it runs, to this machine, and to
# those who know its address.
# ci: it opens many pages in a browser
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_page.sh"
share_with_all

build ranks -O1 "$HERE/../run/top_ranks.c"

# serve WORD...: starts the server; $url is its address
serve() {
	: >served.out # it may have the address of the last one
	"$ANALYZE" view --live "$@" >served.out 2>served.err </dev/null &
	server=$!
	await "it says where it serves" grep -q '^http' served.out
	url=$(cat served.out)
	place=${url#http://}
	place=${place%%/*}
}
end_server() {
	kill "$server"
	wait "$server" 2>wait.err
}
ask() { node "$TOP/tests/page/ask.mjs" "$@"; }
raw() { node "$TOP/tests/page/ask.mjs" --raw "$place"; }
field() { jq -r "$1" data.json; }
# has_newer LOOK: there is a newer look, which is in data.json
has_newer() { [ "$(ask data.json "${url}data?after=$1")" = 200 ]; }
# state_is STATE LOOK: the newest look, after LOOK, says so
state_is() { has_newer "$2" && [ "$(field .index.live.state)" = "$1" ]; }
all_run() { analyze top "$EXP" --once --json | jq -e '.processes_running == 2'; }

echo "== while it runs"
run_behind live env SIS_UNIFY=1 SIS_TRACE=1 "$MPIEXEC" -n 2 ./ranks "$T/stop"
await "both ranks run" all_run
serve "$EXP"
matches "the address is of this machine, with a key" "$url" \
	'^http://127\.0\.0\.1:[0-9]+/[0-9a-f]{32}/$'
equal "the page" "$(ask page.html "$url")" 200
matches "... may ask its own server" "$(grep -A 2 script-src page.html)" "^connect-src 'self';"
check "... and says that it is live" grep -q '^"live": {"look": [1-9]' page.html
equal "its data" "$(ask data.json "${url}data?after=0")" 200
equal "what they say of the run" \
	"$(field '.index | "\(.live.state) \(.live.running) \(.live.processes) \(.format)"')" \
	"runs 2 2 1"
equal "no process is warned of, because all go on" "$(field '
	.index.experiments[0].documents.report.warnings[] | select(test("did not end"))')" ""
check "blocks are those that the index names" test "$(field '
	([.index.experiments[].tables[].columns[] | .block, .texts // 0] | max) as $most |
	$most < (.blocks | length)')" = true
check "the units are inside of regions" test \
	"$(field '.index.experiments[0].tables.open.rows')" -gt 0
look=$(field .index.live.look)
await "a newer look, because a page asked" has_newer "$look"
look=$(field .index.live.look)
sleep 4
ask data.json "${url}data?after=0" >status
equal "a page that asked gets one more look; without one that asks, nothing looks" \
	"$(($(field .index.live.look) - look))" 1

echo "== for nobody else"
equal "another key" "$(ask out "${url%????}000/")" 404
equal "no key" "$(ask out "http://$place/")" 404
equal "another name of the host" "$(ask out "$url" GET evil.example)" 404
equal "localhost" "$(ask out "$url" GET "localhost:${place#*:}")" 200
equal "another file" "$(ask out "${url}secret")" 404
equal "POST" "$(ask out "$url" POST)" 405
matches "no request" "$(printf '\001\002\003\r\n\r\n' | raw)" '^(HTTP/1.1 400|nothing)'
matches "an endless header" "$({ printf 'GET / HTTP/1.1\r\nHost: localhost\r\n'
	head -c 300000 /dev/zero | tr '\0' x; } | raw)" '^(HTTP/1.1 4|nothing)'
matches "a body" "$(printf \
	'GET /%s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nabcdefghi' \
	"${url#*/*/*/}" | raw)" '^(HTTP/1.1|nothing)'
matches "arguments that are none" "$(ask out "${url}data?after=-1&after=x")" '^20[04]$'
for crowd in 32 100 200; do
	equal "$crowd connections that never end their request: others are served, they are ended" \
		"$(node "$TOP/tests/page/crowd.mjs" "$url" "$crowd")" "200 200 $crowd"
done
equal "the server goes on" "$(ask out "$url")" 200

echo "== when it ends"
if [ -n "$CHROMIUM" ]; then
	node "$TOP/tests/page/live_run.mjs" "$url" || not_ok "the page in Chromium ends well"
else
	skip "the page in a browser" "there is no chromium-headless-shell"
fi
touch stop
wait "$behind"
await "the data say so" state_is ended 0
analyze report "$EXP" --json >report.json
equal "its numbers are those of the report" \
	"$(field '.index.experiments[0].documents.report | "\(.t_p) \(.useful) \(.complete)"')" \
	"$(jq -r '"\(.t_p) \(.useful) \(.complete)"' report.json)"
check "... with the time line" test "$(field '.index.experiments[0].trace.activations > 0')" = true
await "... and the command" grep -q 'the program has ended' served.err
equal "the page can be loaded again" "$(ask page.html "$url")" 200
equal "no file was written beside it" "$(ls "$T" | grep -c live)" 1
end_server

echo "== when it disappears"
rm -f stop
run_behind gone "$MPIEXEC" -n 2 ./ranks "$T/stop"
await "both ranks run" all_run
pid=$(analyze top "$EXP" --once --json | jq '.processing_units[0].pid')
serve "$pid"
check "a process names its run" has_newer 0
rm -rf "$EXP"
await "the page says that the directory was removed" state_is gone 0
touch stop
wait "$behind"
end_server

echo "== bad input"
one_error "no run" 1 "'nothing' is neither the directory of a run nor" \
	"$ANALYZE" view --live nothing
one_error "a file and a server" 2 'view: -o with --live' "$ANALYZE" view --live -o x.html "$EXP"
one_error "two runs" 2 'several runs; name one' "$ANALYZE" view --live a b
one_error "a port that is none" 2 "bad --port '70000'" "$ANALYZE" view --live --port 70000
one_error "a port without a server" 2 'view: --port without --live' "$ANALYZE" view --port 7000
rm -f stop
run_behind again "$MPIEXEC" -n 2 ./ranks "$T/stop"
await "both ranks run" all_run
one_error "an address that is none" 2 "'nowhere' is no address" \
	"$ANALYZE" view --live "$EXP" --address nowhere
one_error "an address that this host lacks" 1 'cannot listen there: .*; choose another' \
	"$ANALYZE" view --live "$EXP" --address 192.0.2.1
serve "$EXP" --address 0.0.0.0
matches "other machines only on request, with a warning" "$(cat served.err)" \
	'warning: with this address the page can be read from other machines'
one_error "a port that is taken" 1 'cannot listen there: Address already in use' \
	"$ANALYZE" view --live "$EXP" --address 0.0.0.0 --port "${place##*:}"
end_server
touch stop
wait "$behind"
