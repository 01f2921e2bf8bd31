# invariants.awk - what must hold of the records of every run (lines of records.c): posts and
# completions pair off, messages arrive, all members are in a collective. Prints what does not.
function fail(what) { if (!(what in said)) print what; said[what] = 1 }
$1 == "comm" && $3 != "-" { size[$3] = $4 }
$1 == "call" { sent += $5; received += $6; sent_records -= $5; received_records -= $6 }
$1 == "POLLS" { next }
$1 == "ISEND" || $1 == "IRECV" { open[$2 " " $8]++ }
$1 == "DONE" && int($9 / 32) % 2 { open[$2 " begun " $3 " " $8]--; next }
int($9 / 32) % 2 { open[$2 " begun " $3 " " $8]++ }
$1 == "DONE" { open[$2 " " $8]-- }
$1 == "SEND" || $1 == "ISEND" { n[$3 " " $4 ">" $5 " " $6]++; sent_records++ }
$1 == "RECV" || ($1 == "DONE" && $9 % 2 == 0 && int($9 / 4) % 2 == 0) {
	n[$3 " " $5 ">" $4 " " $6]--
	received_records++
}
$1 == "SEND" || $1 == "ISEND" { bytes[$3 " " $4 ">" $5 " " $6] += $7 }
$1 == "RECV" || ($1 == "DONE" && $9 % 2 == 0) { bytes[$3 " " $5 ">" $4 " " $6] -= $7 }
$1 ~ /^(BARRIER|NXN|NEIGH|FILE|FROM_ROOT|TO_ROOT|SCAN|FENCE|INIT|FINALIZE)$/ {
	here[$3 " " $8 " " $1 " " $5]++
}
END {
	for (i in open)
		if (open[i])
			fail("request " i \
			     (open[i] > 0 ? " is never done" : " is done but never begun"))
	for (i in n) if (n[i]) fail("messages " i " are not received as often as sent: " n[i])
	for (i in bytes)
		if (bytes[i]) fail("messages " i " have other bytes here than there: " bytes[i])
	for (i in here) {
		split(i, w, " ")
		if (here[i] != size[w[1]])
			fail("collective " i " has " here[i] " of " size[w[1]] " members")
	}
	if (sent != received) fail(sent " messages sent, " received " received")
	if (sent_records || received_records) fail("records and counted messages differ")
}
