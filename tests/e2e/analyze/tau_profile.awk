# SPDX-License-Identifier: BSD-3-Clause
# tau_profile.awk - what in a file is not as TAU writes its profiles; prints nothing when all is.
# Lines: COUNT templated_functions_MULTI_METRIC, # Name ... # <metadata>, COUNT functions with the
# application first, 0 aggregates, 0 userevents. A stack's function is there by itself, too.
function bad(what) { print FILENAME ":" FNR ": " what }
FNR == 1 { if ($0 !~ /^[0-9]+ templated_functions_MULTI_TIME$/) bad("no header"); functions = $1;
next }
FNR == 2 {
	if ($0 !~ /^# Name Calls Subrs Excl Incl ProfileCalls # <metadata>(<attribute><name>[^<]+<\/name><value>[^<]+<\/value><\/attribute>)+<\/metadata>$/)
		bad("no columns")
	next
}
FNR <= functions + 2 {
	if ($0 !~ /^"[^"]+" [0-9]+ [0-9]+ [0-9.]+(E\+[0-9]+)? [0-9.]+(E\+[0-9]+)? 0 GROUP="[A-Z_|]+"$/) {
		bad("no function")
		next
	}
	name = $0; sub(/^"/, "", name); sub(/".*/, "", name)
	numbers = $0; sub(/^"[^"]*" /, "", numbers); split(numbers, n, " ")
	if (FNR == 3 && (name != ".TAU application" ||
		numbers !~ /^1 [0-9]+ [0-9]+ [0-9]+ 0/)) bad("the application is not first")
	if (name in seen) bad(name " is there twice")
	seen[name] = 1
	parts = split(name, part, / => /)
	if ((parts > 1) != ($0 ~ /TAU_CALLPATH/)) bad("a stack and its group")
	if (parts > 1 && !(part[parts] in seen)) bad(part[parts] " is not there by itself")
	if (FNR == 3) { application = n[4]; own += n[3] }
	if (parts > 1) own += n[3]
	next
}
FNR == functions + 3 { if ($0 != "0 aggregates") bad("no aggregates"); next }
FNR == functions + 4 { if ($0 != "0 userevents") bad("no userevents"); next }
{ bad("more than there should be") }
END {
	if (FNR != functions + 4) bad("too few lines")
	if (own - application > 2 ||
		application - own > 2) bad("exclusive times are " own ", not " application)
}
