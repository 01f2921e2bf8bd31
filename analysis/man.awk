# SPDX-License-Identifier: BSD-3-Clause
# man.awk - copies the help of sis-analyze into its manual page:
#     awk -v version=V -v program=PATH -f man.awk sis-analyze.1.in
# The line @COMMANDS@ of the page is replaced by the help of each command, @OPTIONS@ by the options
# of all commands.

function plain(text) { # no request, no escape
	gsub(/\\/, "\\e", text)
	return text ~ /^[.']/ ? "\\&" text : text
}
function quoted(text) {
	gsub(/"/, "\\(dq", text)
	return "\"" plain(text) "\""
}
function option(line,  words) { # "  --name VALUE    what it is for"
	sub(/^ */, "", line)
	words = line
	if (match(line, /  +/)) {
		words = substr(line, 1, RSTART - 1)
		line = substr(line, RSTART + RLENGTH)
	} else { # a name too long for its column
		match(line, / [^-A-Z]/)
		words = substr(line, 1, RSTART - 1)
		line = substr(line, RSTART + 1)
	}
	print ".It " quoted(words) "\n" plain(line)
}
function options(title, command,   line, on) {
	while ((command | getline line) > 0) {
		if (on && line == "")
			break
		if (on && line ~ /^          /) # goes on
			print plain(substr(line, match(line, /[^ ]/)))
		else if (on)
			option(line)
		on = on || line == title
	}
	close(command)
	return on
}
function show(name,   command, line, part, text, listed, usage) {
	command = program " help " name
	while ((command | getline line) > 0) {
		listed = listed || line == "Options:"
		part = line ~ /^Options/ ? 3 : part
		if (part == 0 && line != "") { # usage, in one line or more
			sub(/^usage: sis-analyze /, "", line)
			gsub(/^ +| +$/, "", line)
			usage = usage (usage ? " " : "") line
		} else if (part == 0) {
			print ".Ss " quoted(usage)
			part = 1
		} else if (part == 1 && line != "") {
			print plain(line)
			print ".Bd -literal"
			part = 2
		}
		else if (part == 2 && line != "") print plain(line)
	}
	close(command)
	print ".Ed"
	if (listed) {
		print ".Bl -tag -width Ds"
		options("Options:", command)
		print ".El"
	}
}

/^@COMMANDS@$/ {
	list = program " help"
	while ((list | getline line) > 0)
		if (line ~ /^  [a-z][a-z-]* +[A-Z]/) {
			split(line, word, " ")
			show(word[1])
		}
	close(list)
	next
}
/^@OPTIONS@$/ { options("Options of all commands:", program " help"); next }
{ gsub(/@VERSION@/, version); print }
