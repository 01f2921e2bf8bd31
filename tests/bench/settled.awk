# SPDX-License-Identifier: BSD-3-Clause
# settled.awk - whether the least values are those of an undisturbed machine: reads `KEY VALUE`
# lines, and prints for how much the second least value of a key is above the least one, in percent,
# of the worst key. Exit status 1: more than 1 %, or a key has one value only.
{
	n[$1]++
	if (n[$1] == 1 || $2 < least[$1]) {
		second[$1] = least[$1]
		least[$1] = $2
	} else if (n[$1] == 2 || $2 < second[$1]) {
		second[$1] = $2
	}
}
END {
	for (key in n) {
		above = n[key] == 1 ? 100 : (second[key] / least[key] - 1) * 100
		if (above > worst) worst = above
	}
	printf "%.1f\n", worst
	exit worst > 1
}
