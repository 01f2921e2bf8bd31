# SPDX-License-Identifier: BSD-3-Clause
# completions.awk - completions of commands and options for a shell:
#     awk -v shell=bash|zsh|fish -v bin=DIRECTORY -f completions.awk
# The idea: the programs' own help is read, which is printed from their tables. Below, command "*"
# has the options of all commands, command "sisc" those of sisc.

function add(command, name, value, text) {
	sub(/^with --[a-z]*: /, "", text)
	sub(/[;:(].*/, "", text)
	gsub(/["\047`\\$[\]]/, "", text)
	sub(/[ .,]*$/, "", text)
	n[command]++
	option[command, n[command]] = name
	takes[command, n[command]] = value
	said[command, n[command]] = text
}
# An option is one line, "  --name VALUE   text", or more, whose text begins further right.
function read_options(command, title, key,   line, on, words, text) {
	while ((command | getline line) > 0) {
		if (on && line !~ /^ /)
			break
		if (on && line ~ /^          /) {
			text = text " " substr(line, match(line, /[^ ]/))
		} else if (on) {
			if (words)
				add(key, words, value, text)
			match(line, /--?[a-z0-9-]+/)
			words = substr(line, RSTART, RLENGTH)
			line = substr(line, RSTART + RLENGTH)
			value = line ~ /^(\[?=| [^ ])/
			if (value)
				sub(/^ ?[^ ]*/, "", line)
			text = substr(line, match(line, /[^ ]/))
		}
		on = on || line ~ title
	}
	if (words)
		add(key, words, value, text)
	close(command)
}
function read_programs(   list, line) {
	list = bin "/sis-analyze help"
	while ((list | getline line) > 0)
		if (line ~ /^  [a-z][a-z-]* +[A-Z]/) {
			match(line, /[a-z][a-z-]*/)
			commands[++count] = substr(line, RSTART, RLENGTH)
			line = substr(line, RSTART + RLENGTH)
			summary[count] = substr(line, match(line, /[^ ]/))
			gsub(/["\047`:]/, "", summary[count])
		}
	close(list)
	for (i = 1; i <= count; i++)
		read_options(bin "/sis-analyze help " commands[i], "^Options:$", commands[i])
	read_options(list, "^Options of all commands:$", "*")
	read_options(bin "/sisc --sis-help", "^$", "sisc")
}

# -- what a shell writes -----------------------------------------------------------------------
# words(COMMAND, WITH): its options; options with a value if WITH is 1, all if it is 2
function words(command, with,   i, list) {
	for (i = 1; i <= n[command]; i++)
		if (with == 2 || takes[command, i] == with)
			list = list (list ? " " : "") option[command, i]
	return list
}
function all_commands(   i, list) {
	for (i = 1; i <= count; i++)
		list = list commands[i] " "
	return list "help"
}
function bash(   i) {
	print "_sis_analyze() {"
	print "\tlocal word=${COMP_WORDS[COMP_CWORD]} command= options= values= at"
	print "\t[[ ${COMP_WORDS[0]##*/} != sis-run ]] || command=run"
	print "\tfor ((at = 1; at < COMP_CWORD; at++)); do"
	print "\t\t[[ -n $command || ${COMP_WORDS[at]} == -* || ${COMP_WORDS[at-1]} == --db ]] ||"
	print "\t\t\tcommand=${COMP_WORDS[at]}"
	print "\tdone"
	print "\tcase $command in"
	for (i = 1; i <= count; i++)
		print "\t" commands[i] ") options=\"" words(commands[i], 2) "\" values=\"" \
			words(commands[i], 1) "\" ;;"
	print "\tesac"
	print "\tCOMPREPLY=()"
	print "\tif [[ \" " words("*", 1) " $values \" == *\" ${COMP_WORDS[COMP_CWORD-1]} \"* ]]; then"
	print "\t\treturn"
	print "\telif [[ $word == -* ]]; then"
	print "\t\tCOMPREPLY=($(compgen -W \"" words("*", 2) " $options\" -- \"$word\"))"
	print "\telif [[ -z $command || ${COMP_WORDS[COMP_CWORD-1]} == help ]]; then"
	print "\t\tCOMPREPLY=($(compgen -W \"" all_commands() "\" -- \"$word\"))"
	print "\telif [[ $command == run ]]; then"
	print "\t\tCOMPREPLY=($(compgen -c -- \"$word\"))"
	print "\tfi"
	print "}"
	print "_sisc() {"
	print "\tlocal word=${COMP_WORDS[COMP_CWORD]}"
	print "\tCOMPREPLY=()"
	print "\t[[ $word != --* ]] || COMPREPLY=($(compgen -W \"" words("sisc", 2) "\" -- \"$word\"))"
	print "}"
	print "complete -o default -F _sis_analyze sis-analyze sis-run"
	print "complete -o default -F _sisc sisc sisc++"
}
function zsh_options(command,   i) {
	for (i = 1; i <= n[command]; i++)
		printf " \\\n\t\t'%s%s[%s]%s'", option[command, i],
			(takes[command, i] && option[command, i] ~ /^--/ ? "=" : ""),
			said[command, i], (takes[command, i] ? ":value:_files" : "")
}
function zsh(   i, argument) {
	print "#compdef sis-analyze sis-run sisc sisc++"
	print "local state command=$service"
	print "case $service in"
	printf "sisc*)\n\t_arguments"
	zsh_options("sisc")
	print " '*:file:_files'\n\treturn ;;"
	print "sis-run) command=run ;;"
	printf "sis-analyze)\n\t_arguments -C"
	zsh_options("*")
	print " \\\n\t\t'(-)1:command:->command' '*::argument:->argument' && return"
	print "\tif [[ $state == command || $words[1] == help ]]; then"
	print "\t\tlocal -a commands=("
	for (i = 1; i <= count; i++)
		print "\t\t\t'" commands[i] ":" summary[i] "'"
	print "\t\t\t'help:what a command does')"
	print "\t\t_describe command commands\n\t\treturn"
	print "\tfi\n\tcommand=$words[1] ;;\nesac\ncase $command in"
	for (i = 1; i <= count; i++) {
		printf "%s)\n\t_arguments", commands[i]
		zsh_options(commands[i])
		zsh_options("*")
		argument = commands[i] == "run" ? "'*::command:_normal'" : "'*:experiment:_files'"
		print " \\\n\t\t" argument " ;;"
	}
	print "esac"
}
function fish_options(program, command, condition,   i, name) {
	for (i = 1; i <= n[command]; i++) {
		name = option[command, i]
		if (!sub(/^--/, "-l ", name))
			sub(/^-/, "-s ", name)
		printf "complete -c %s%s %s%s -d '%s'\n", program, condition, name,
			(takes[command, i] ? " -r" : ""), said[command, i]
	}
}
function fish(   i) {
	for (i = 1; i <= count; i++) {
		print "complete -c sis-analyze -n __fish_use_subcommand -f -a " commands[i] \
			" -d '" summary[i] "'"
		fish_options("sis-analyze", commands[i],
			" -n '__fish_seen_subcommand_from " commands[i] "'")
	}
	print "complete -c sis-analyze -n __fish_use_subcommand -f -a help -d 'what a command does'"
	print "complete -c sis-analyze -n '__fish_seen_subcommand_from help' -f -a '" \
		all_commands() "'"
	fish_options("sis-analyze", "*", "")
	fish_options("sis-run", "run", "")
	fish_options("sis-run", "*", "")
	print "complete -c sis-run -n __fish_is_first_arg -a '(__fish_complete_command)'"
	fish_options("sisc", "sisc", "")
}
BEGIN {
	read_programs()
	if (shell == "bash")
		bash()
	else if (shell == "zsh")
		zsh()
	else
		fish()
}
