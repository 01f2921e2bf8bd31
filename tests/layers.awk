# SPDX-License-Identifier: BSD-3-Clause
# layers.awk - what tests/layers asks of one part. `kind` says what the lines of the next file are:
# order (NUMBER FOLDER), includes (FILE INCLUDED), circles (FILES REASON), symbols (OBJECT U|D
# SYMBOL).

# The folder of a path within the part, with its group if it has one; "" for the part itself, whose
# files may use all folders.
function folder(path, names, n) {
	n = split(path, names, "/")
	return n > 2 ? names[1] "/" names[2] : n > 1 ? names[1] : ""
}
function base(path) { sub(/.*\//, "", path); sub(/\.[a-z]*$/, "", path); return path }
function below(user, used) {
	return user != "" && used != "" && user != used && user in order && used in order &&
		order[used] > order[user]
}

kind == "order" { order[$2] = $1; next }

# -- includes: FILE, INCLUDED --------------------------------------------------------------------
kind == "includes" {
	user = folder(substr($1, length(part) + 2))
	used = folder($2)
	if (user != "" && !(user in order))
		print $1 ": README does not list its folder"
	else if (below(user, used))
		print $1 ": includes " $2 ", which is below"
	next
}

# -- symbols -------------------------------------------------------------------------------------
kind == "circles" { # a circle that README lists: names of files, then the reason
	members = ""
	for (i = 1; i <= NF && $i ~ /\.(c|cc)$/; i++)
		members = members " " base($i)
	if (members != "")
		listed[++circles] = members " "
	next
}

# Whether README lists a circle that `used` belongs to, and a file of the user's folder.
function excused(user, used, i, n, k, names) {
	for (i = 1; i <= circles; i++) {
		n = index(listed[i], " " base(used) " ") ? split(listed[i], names, " ") : 0
		for (k = 1; k <= n; k++)
			if (folder(path_of[names[k]]) == folder(user))
				return 1
	}
	return 0
}
{ objects[$1]; path_of[base($1)] = $1 }
$2 == "D" { definer[$3] = $1 }
$2 == "U" { uses[$1] = uses[$1] " " $3 }

# Tarjan's strongly connected components.
function connect(object, names, n, i, other, member, size) {
	number[object] = lowest[object] = ++numbers
	stack[++depth] = object
	stacked[object] = 1
	n = split(uses[object], names, " ")
	for (i = 1; i <= n; i++) {
		if (!(names[i] in definer) || (other = definer[names[i]]) == object)
			continue
		if (below(folder(object), folder(other)) && !excused(object, other))
			print "upward: " object " uses " names[i] " of " other
		if (!(other in number))
			connect(other)
		if (other in stacked && lowest[other] < lowest[object])
			lowest[object] = lowest[other]
	}
	if (lowest[object] != number[object])
		return
	members = ""
	do {
		member = stack[depth--]
		delete stacked[member]
		members = members " " base(member)
		size++
	} while (member != object)
	if (size > 1)
		check_circle(members)
}

# Whether README lists exactly these members.
function check_circle(members, i, n, names, k, same, all) {
	n = split(members, names, " ")
	for (i = 1; i <= circles; i++) {
		all = split(listed[i], same, " ") == n
		for (k = 1; k <= n; k++)
			all = all && index(listed[i], " " names[k] " ")
		if (all) {
			found[i] = 1
			return
		}
	}
	print "circle:" members
}

END {
	for (object in objects)
		if (!(object in number))
			connect(object)
	for (i = 1; i <= circles; i++)
		if (!found[i])
			print "no circle any more:" listed[i]
}
