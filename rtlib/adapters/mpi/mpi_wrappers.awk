# SPDX-License-Identifier: BSD-3-Clause
# mpi_wrappers.awk - generates a wrapper for every routine that is in mpi.def and in the installed
# mpi.h.
#
#   awk -f mpi_wrappers.awk mpi.def mpi.i > mpi_wrappers.c     mpi.i: mpi.h after the preprocessor
#
# Prototypes come from mpi.h, so the wrappers have the parameter types of this MPI library, with
# const. What a wrapper does after the call depends only on the routine's MATCH: each MATCH has one
# rule below.
#
#   rule(MATCH, OPTIONS, STATEMENT, PARTLY)    STATEMENT is executed if the call succeeded, PARTLY
#                                              if it failed, but completed some of its requests
#     $1 $2 ...   the parameters by position; $-1: the last one; $NAME: the parameter NAME
#     $comm $win  the first communicator or window; $newcomm the first pointer to a communicator
#     $kind $root the kind of record of a collective's blocking form, and its root (-1: none)
#   options:
#     always      STATEMENT is executed even while measurement is off, because it updates data that
#                 must stay right (a request, a communicator)
#     status      the last parameter is a status; `seen` is a status that is filled even if the
#                 caller ignores it
#     was=TYPE    `was` is the value to which $1 (with was4: $4) pointed before the call, because
#                 MPI clears handles
#     ends=KIND   the call frees the communicator, window or file `was`. `ended` has the facts about
#                 it. They are found before the call, because afterwards another thread may have a
#                 new object with the same handle
#     batch       $1 requests in $2; with `statuses` the last parameter is an array of statuses
#     receives    STATEMENT is also executed if the message was too long for the buffer, because
#                 then the call fails, but the message is received
#     collective  the call waits for other processes: its begin ends a phase of the thread
#     quick=WAY   the routine also has a fast path (mpi_fast_path.h): STATEMENT with `quick` instead
#                 of `call`
#     poll=EXPR   the call is a poll, and is in vain if EXPR is 0 after the call. Not all of these
#                 calls are timed
#     expect      on the fast path, the expected record is made before the call (`expected`)
#   options for calls while measurement is off (mpi_off.h):
#     rare        takes the general path: the call is rare, or MPI may make calls inside it
#     known=KIND  with `always`: nothing to do unless a request is known, or (batch) polls of $2
#     found=EXPR  SIS_FILTER may turn the call off. Then it is measured only if EXPR is not 0 after
#                 the call; if EXPR is the word 0, never

function rules() {
	rule("NONE", "quick=poll found=0 poll=0", "")
	rule("SEND", "quick=call", "sis__mpi_send(&call, 0, $2, $3, $4, $5, $6)")
	rule("SSEND", "quick=call",
		"sis__mpi_send(&call, SIS_RECORD_SYNCHRONOUS, $2, $3, $4, $5, $6)")
	rule("RECV", "status receives quick=call expect", "sis__mpi_recv(&call, $6, seen)")
	rule("SENDRECV", "status receives quick=call",
		"sis__mpi_sendrecv(&call, $2, $3, $4, $5, $-2, seen)")
	rule("ISEND", "quick=call", "sis__mpi_isend(&call, 0, $2, $3, $4, $5, $6, *$7)")
	rule("ISSEND", "quick=call",
		"sis__mpi_isend(&call, SIS_RECORD_SYNCHRONOUS, $2, $3, $4, $5, $6, *$7)")
	rule("IRECV", "quick=call", "sis__mpi_irecv(&call, $4, $5, $6, *$7)")
	rule("ISENDRECV", "",
		"sis__mpi_isendrecv(&call, $2, $3, $4, $5, $-4, $-3, $-2, *$-1)")
	rule("PROBE", "status", "sis__mpi_probed(&call, $3, seen)")
	rule("MPROBE", "always status",
		"sis__mpi_mprobe(1, *$4, $3), sis__mpi_probed(&call, $3, seen)")
	rule("IPROBE", "status quick=poll found=0 poll=*$4",
		"sis__mpi_iprobe(&call, *$4, $1, $2, $3, seen)")
	rule("IMPROBE", "always status found=*$4 poll=*$4",
		"sis__mpi_improbe(&call, *$4, $1, $2, $3, *$5, seen)")
	rule("MRECV", "always status receives was4=MPI_Message known=requests",
		"sis__mpi_mrecv(&call, was, seen)")
	rule("IMRECV", "always was4=MPI_Message known=requests", "sis__mpi_imrecv(&call, was, *$5)")
	rule("SENDINIT", "always rare", "sis__mpi_send_init(0, $2, $3, $4, $5, $6, *$7)")
	rule("SSENDINIT", "always rare",
		"sis__mpi_send_init(SIS_RECORD_SYNCHRONOUS, $2, $3, $4, $5, $6, *$7)")
	rule("RECVINIT", "always rare", "sis__mpi_recv_init($4, $5, $6, *$7)")
	rule("PSENDINIT", "always rare",
		"sis__mpi_parted_init(SIS_REQUEST_PARTED_SEND, $2, $3, $4, $5, $6, $comm, *$-1)")
	rule("PRECVINIT", "always rare",
		"sis__mpi_parted_init(SIS_REQUEST_PARTED_RECV, $2, $3, $4, $5, $6, $comm, *$-1)")
	rule("PREADY", "always known=requests", "sis__mpi_ready(&call, 1, $2)")
	rule("PREADYRANGE", "always known=requests", "sis__mpi_ready(&call, $2 - $1 + 1, $3)")
	rule("PREADYLIST", "always known=requests", "sis__mpi_ready(&call, $1, $3)")
	rule("PARRIVED", "found=0 poll=*$3", "sis__mpi_arrived(&call, *$3, $1)")
	rule("START", "always quick=call known=requests", "sis__mpi_start(&call, 1, $1)")
	rule("STARTALL", "always quick=call known=requests", "sis__mpi_start(&call, $1, $2)")
	rule("WAIT", "always status receives was=MPI_Request quick=call known=requests",
		"sis__mpi_complete(&call, 0, was, seen)")
	rule("TEST", "always status receives was=MPI_Request quick=poll known=requests " \
		"found=*$2 poll=*$2",
		"sis__mpi_test(&call, *$2, was, seen)")
	rule("WAITALL", "always batch statuses quick=call known=batch",
		"sis__mpi_batch_all(&call, &batch, 0)",
		"sis__mpi_batch_partly(&call, &batch, 0, code, batch.count, NULL)")
	rule("TESTALL", "always batch statuses known=batch found=*$3 poll=*$3",
		"sis__mpi_batch_test(&call, &batch, *$3)",
		"sis__mpi_batch_partly(&call, &batch, SIS_RECORD_POLL, code, " \
		"*$3 ? batch.count : 0, NULL)")
	rule("WAITANY", "always batch status receives known=batch",
		"sis__mpi_batch_one(&call, &batch, 0, *$3, seen)")
	rule("TESTANY", "always batch status receives known=batch found=*$4 poll=*$4",
		"sis__mpi_batch_test_any(&call, &batch, *$4, *$3, seen)")
	rule("WAITSOME", "always batch statuses known=batch",
		"sis__mpi_batch_some(&call, &batch, 0, *$3, $4)",
		"sis__mpi_batch_partly(&call, &batch, 0, code, *$3, $4)")
	rule("TESTSOME", "always batch statuses known=batch found=*$3 poll=*$3",
		"sis__mpi_batch_test_some(&call, &batch, *$3, $4)",
		"sis__mpi_batch_partly(&call, &batch, SIS_RECORD_POLL, code, *$3, $4)")
	rule("ASK", "found=0 poll=*$2", "sis__mpi_asked(&call, *$2, $1)")
	rule("CANCEL", "always known=requests", "sis__mpi_cancel(*$1)")
	rule("REQFREE", "always was=MPI_Request known=request", "sis__mpi_request_free(&call, was)")
	rule("BARRIER", "always collective quick=collective",
		"sis__mpi_collective(&call, SIS_RECORD_BARRIER, $comm, -1)")
	rule("NXN", "always collective quick=collective",
		"sis__mpi_collective(&call, SIS_RECORD_NXN, $comm, -1)")
	rule("FROM_ROOT", "always collective quick=collective",
		"sis__mpi_collective(&call, SIS_RECORD_FROM_ROOT, $comm, $root)")
	rule("TO_ROOT", "always collective quick=collective",
		"sis__mpi_collective(&call, SIS_RECORD_TO_ROOT, $comm, $root)")
	rule("SCAN", "always collective quick=collective",
		"sis__mpi_collective(&call, SIS_RECORD_SCAN, $comm, -1)")
	rule("ICOLL", "always", "sis__mpi_collective_begun(&call, $kind, $comm, $root, *$-1)")
	rule("COLLINIT", "always rare", "sis__mpi_collective_init($kind, $comm, $root, *$-1)")
	rule("NEIGH", "always", "sis__mpi_neighbours(&call, $comm)")
	rule("INEIGH", "always", "sis__mpi_neighbours_begun(&call, $comm, *$-1)")
	rule("NEIGHINIT", "always rare", "sis__mpi_neighbours_init(&call, $comm, *$-1)")
	rule("FENCE", "always collective", "sis__mpi_fence(&call, $win)")
	rule("NEWWIN", "always collective rare", "sis__mpi_win_new(&call, $comm, *$-1)")
	rule("FREEWIN", "always collective was=MPI_Win ends=win rare",
		"sis__mpi_win_free(&call, was, &ended)")
	rule("RMAPUT", "",
		"sis__mpi_rma(&call, SIS_RECORD_PUT, $target_count, $target_datatype, " \
		"$target_rank, $win)")
	rule("RMAGET", "",
		"sis__mpi_rma(&call, SIS_RECORD_GET, $target_count, $target_datatype, " \
		"$target_rank, $win)")
	rule("RMAACC", "",
		"sis__mpi_rma(&call, SIS_RECORD_ACCUMULATE, $target_count, $target_datatype, " \
		"$target_rank, $win)")
	rule("RMAONE", "",
		"sis__mpi_rma(&call, SIS_RECORD_ACCUMULATE, 1, $datatype, $target_rank, $win)")
	rule("WINPOST", "", "sis__mpi_epoch_of(&call, SIS_RECORD_POST, $1, $win)")
	rule("WINSTART", "", "sis__mpi_epoch_of(&call, SIS_RECORD_START, $1, $win)")
	rule("WINCOMPLETE", "", "sis__mpi_epoch(&call, SIS_RECORD_COMPLETE, 0, $win)")
	rule("WINWAIT", "always", "sis__mpi_win_wait(&call, $win)")
	rule("WINTEST", "always found=*$2 poll=*$2", "sis__mpi_win_test(&call, *$2, $win)")
	rule("WINLOCK", "", "sis__mpi_win_lock(&call, $1, $2, $win)")
	rule("WINLOCKALL", "", "sis__mpi_epoch(&call, SIS_RECORD_LOCK, SIS_RECORD_SHARED, $win)")
	rule("WINUNLOCK", "", "sis__mpi_epoch_at(&call, SIS_RECORD_UNLOCK, $1, 0, $win)")
	rule("WINUNLOCKALL", "", "sis__mpi_epoch(&call, SIS_RECORD_UNLOCK, 0, $win)")
	rule("WINFLUSH", "", "sis__mpi_epoch_at(&call, SIS_RECORD_FLUSH, $1, 0, $win)")
	rule("WINFLUSHALL", "", "sis__mpi_epoch(&call, SIS_RECORD_FLUSH, 0, $win)")
	rule("IOREAD", "status rare", "sis__mpi_io(&call, 0, seen)")
	rule("IOWRITE", "status rare", "sis__mpi_io(&call, 1, seen)")
	rule("IOREADALL", "always status rare", "sis__mpi_file_io(&call, 0, $1, seen)")
	rule("IOWRITEALL", "always status rare", "sis__mpi_file_io(&call, 1, $1, seen)")
	rule("FILEOPEN", "always rare", "sis__mpi_file_open(&call, $comm, *$-1)")
	rule("FILEALL", "always rare", "sis__mpi_file_all(&call, $1)")
	rule("FILECLOSE", "always was=MPI_File ends=file rare",
		"sis__mpi_file_close(&call, &ended)")
	rule("IREAD", "rare", "sis__mpi_io_begun(&call, 0, $-3, $-2)")
	rule("IWRITE", "rare", "sis__mpi_io_begun(&call, 1, $-3, $-2)")
	rule("IREADALL", "always rare", "sis__mpi_file_begun(&call, 0, $1, $-3, $-2, *$-1)")
	rule("IWRITEALL", "always rare", "sis__mpi_file_begun(&call, 1, $1, $-3, $-2, *$-1)")
	rule("NEWCOMM", "always collective rare", "sis__mpi_comm_new(&call, $comm, *$newcomm)")
	rule("INEWCOMM", "always rare", "sis__mpi_comm_idup($comm, $newcomm, *$-1)")
	rule("PARTCOMM", "always rare", "sis__mpi_comm_part($comm, $tag, *$newcomm)")
	rule("GROUPCOMM", "always rare", "sis__mpi_comm_of_group($stringtag, *$newcomm)")
	rule("SESSION", "always rare", "sis__mpi_session(*$-1)")
	rule("FREECOMM", "always was=MPI_Comm ends=comm rare", "sis__mpi_comm_free(was, &ended)")
	rule("NAMECOMM", "always rare", "sis__mpi_comm_name($1, $2)")
	# mpi_world.c
	hand_written["INIT"] = hand_written["FINALIZE"] = 1
	hand_written["ABORT"] = hand_written["PCONTROL"] = 1
	hand_written["ENDSESSION"] = 1
}

function rule(match_, options, statement, partly) {
	option[match_] = " " options " "
	statements[match_] = statement
	statements_partly[match_] = partly
}

FILENAME ~ /\.def$/ {
	if (sub(/^SIS_MPI\(/, "")) {
		gsub(/\).*$|[ \t]/, "")
		split($0, row, ",")
		kind_of[row[1]] = row[5]
	}
	next
}
/^#/ { next }
{ text = text " " $0 }

END {
	rules()
	print "/* Generated by rtlib/adapters/mpi/mpi_wrappers.awk: do not edit. */"
	print "#include \"adapters/mpi/mpi_off.h\"\n"
	count = split(text, declaration, /[;{}]/)
	for (d = 1; d <= count; d++)
		if (match(declaration[d], /(^|[ \t])int[ \t]+MPI_[A-Z][A-Za-z_0-9]*[ \t]*\(/))
			wrap(substr(declaration[d], RSTART))
	exit failed
}

# Reads a prototype, from `int MPI_X(` on.
function wrap(prototype,    name, base, list, i, depth, c) {
	sub(/^[ \t]*int[ \t]+/, "", prototype)
	name = prototype
	sub(/[ \t]*\(.*/, "", name)
	base = name
	if (!(base in kind_of))
		sub(/_c$/, "", base) # a routine with large counts has the row of the one without
	if (!(base in kind_of) || name in wrapped || kind_of[base] in hand_written)
		return
	wrapped[name] = 1
	if (!(kind_of[base] in statements)) {
		print "mpi_wrappers.awk: error: no rule for " kind_of[base] " of " base \
			> "/dev/stderr"
		failed = 1
		return
	}
	list = substr(prototype, index(prototype, "(") + 1)
	for (i = 1; i <= length(list) && depth >= 0; i++) { # up to the closing parenthesis
		c = substr(list, i, 1)
		depth += (c == "(") - (c == ")")
	}
	emit(name, base, kind_of[base], substr(list, 1, i - 2))
}

# Fills D (declarations), T (types), A (names) by position, N (position) by name. Returns the number
# of parameters.
function parameters(list,    n, i, p) {
	split("", N)
	split("", A)
	gsub(/[ \t]+/, " ", list)
	if (list ~ /^ ?(void)? ?$/)
		return 0
	n = split(list, D, /,/)
	for (i = 1; i <= n; i++) {
		gsub(/^ | $/, "", D[i])
		p = D[i]
		gsub(/ ?\[[^]]*\]/, "", p)
		match(p, /[A-Za-z_0-9]+$/)
		A[i] = substr(p, RSTART)
		T[i] = substr(p, 1, RSTART - 1)
		gsub(/^ | $/, "", T[i])
		N[A[i] == "target_cout" ? "target_count" : A[i]] = i # so in a mpi.h of Open MPI
	}
	return n
}

function of_type(type, n,    i) {
	for (i = 1; i <= n; i++)
		if (T[i] == type)
			return A[i]
	return ""
}

function join(items, n,    i, s) {
	for (i = 1; i <= n; i++)
		s = s (i > 1 ? ", " : "") items[i]
	return s
}

# Returns the replacement for a $word of a rule.
function argument(word, n) {
	if (word ~ /^-/)
		return A[n + 1 + word]
	if (word ~ /^[0-9]/)
		return A[word + 0]
	if (word == "kind")
		return "SIS_RECORD_" kind_of[blocking(Base)]
	if (word == "root")
		return "root" in N ? "root" : "-1"
	if (word == "comm")
		return of_type("MPI_Comm", n)
	if (word == "win")
		return of_type("MPI_Win", n)
	if (word == "newcomm")
		return of_type("MPI_Comm *", n)
	return A[N[word]]
}

function expand(s, n,    out) {
	while (match(s, /\$(-?[0-9]+|[a-z_]+)/)) {
		out = out substr(s, 1, RSTART - 1) argument(substr(s, RSTART + 1, RLENGTH - 1), n)
		s = substr(s, RSTART + RLENGTH)
	}
	return out s
}

# The collective that MPI_Ix begins, or for which MPI_X_init makes a request.
function blocking(base) {
	sub(/_init$/, "", base)
	if (base in kind_of && base !~ /^MPI_I[a-z]/)
		return base
	return "MPI_" toupper(substr(base, 6, 1)) substr(base, 7)
}

function emit(name, base, kind, list,    n, o, own, way, after, partly) {
	n = parameters(list)
	Base = base
	o = option[kind]
	restore_arguments()
	after = expand(statements[kind], n)
	partly = o ~ / receives / ? when_cut(after) : expand(statements_partly[kind], n)
	way = value_of(o, "quick")
	own = is_rare(o, base) ? "SIS_EXPORT int " name : \
		"static __attribute__((noinline)) int on_" name
	if (way) {
		emit_any("static __attribute__((noinline, cold)) int slow_" name,
			"uintptr_t frame, " join(D, n), "frame", name, base, o, n, after, partly)
		emit_quick(own, way, name, base, o, n, after, partly)
	} else
		emit_any(own, n ? join(D, n) : "void", "(uintptr_t)&call", name, base, o, n, after,
			partly)
	if (!is_rare(o, base))
		emit_entry(name, base, o, n, after, partly)
}

# Returns the value of option NAME=VALUE; "": there is no such option.
function value_of(o, option_,    text_) {
	if (!match(o, " " option_ "=[^ ]+"))
		return ""
	text_ = substr(o, RSTART, RLENGTH)
	sub(/[^=]*=/, "", text_)
	return text_
}

# The MPI library may make calls of MPI inside these routines, too.
function is_rare(o, base) {
	return o ~ / rare / || base ~ /^MPI_(File|Intercomm|Comm_(accept|connect|join|spawn))/
}

# -- not measured ----------------------------------------------------------------------------------

# The function that the program calls. It has no variables, so that it needs no stack frame.
function emit_entry(name, base, o, n, after, partly,    plain, off, found) {
	plain = "P" name "(" join(A, n) ")"
	off = plain
	if (o ~ / always /)
		off = emit_off(name, o, n, plain, after, partly)
	if ((found = value_of(o, "found")) && found != "0")
		emit_found(name, base, o, n, expand(found, n), after, partly)
	printf "SIS_EXPORT int %s(%s)\n{\n", name, n ? join(D, n) : "void"
	printf "\tif (SIS_UNLIKELY(sis__off))\n\t\treturn %s;\n", off
	if (found != "")
		printf "\tif (SIS_UNLIKELY(sis__mpi_is_excluded(SIS_ROUTINE_%s)))\n" \
			"\t\treturn %s;\n", base,
			found == "0" ? plain : "found_" name "(" join(A, n) ")"
	printf "\treturn on_%s(%s);\n}\n\n", name, join(A, n)
}

# The function that keeps data right while measurement is off. Returns a call of this function.
function emit_off(name, o, n, plain, after, partly,    known, found, off) {
	known = value_of(o, "known")
	found = expand(value_of(o, "found"), n)
	printf "static __attribute__((noinline)) int off_%s(%s)\n{\n", name, join(D, n)
	printf "\tchar frame;\n\tif (SIS_UNLIKELY(sis__mpi_is_nested((uintptr_t)&frame)))\n" \
		"\t\treturn %s;\n", plain
	if (o ~ / batch /)
		emit_copies(name, n)
	emit_was(o)
	printf "\tint code = %s;\n", plain
	emit_off_done(o, found, after, partly)
	off = "off_" name "(" join(A, n) ")"
	if (!known)
		return off
	return "!sis__mpi_knows_" known "(" (known == "requests" ? "" : known == "batch" ? A[2] : \
		"*" A[1]) ") ? " plain " : " off
}

# While measurement is off, statuses are not recorded.
function emit_off_done(o, found, after, partly,    was) {
	gsub(/seen/, "NULL", after)
	if (partly)
		partly = o ~ / receives / ? "if (sis__mpi_is_cut(code))\n\t\t\t" after : \
			"sis__mpi_batch_changed(&batch, " A[2] ")"
	if (value_of(o, "quick") && !found)
		sub(/\(&call, /, "_quick(\\&call, ", after)
	if (o ~ / batch /)
		was = "\t\tstruct sis_mpi_batch batch;\n" \
			"\t\tsis__mpi_batch_of(&batch, " A[1] ", " A[2] ", was, NULL);\n"
	printf "\tif (code == MPI_SUCCESS%s) {\n%s%s\t\t%s;\n\t}\n", found ? " && " found : "",
		was, none_if_used(after), after
	if (partly)
		printf "\tif (SIS_UNLIKELY(code != MPI_SUCCESS)) {\n%s%s\t\t%s;\n\t}\n", was,
			none_if_used(partly), partly
	print "\treturn code;\n}\n"
}

function none_if_used(statement) {
	return statement ~ /&call/ ? "\t\tstruct sis_mpi_call call = { .thread = NULL };\n" : ""
}

# A call that SIS_FILTER turns off. If the call completes something, this is recorded as the end of
# a call that took no time. Without this record, messages could not be matched.
function emit_found(name, base, o, n, found, after, partly) {
	printf "static __attribute__((noinline)) int found_%s(%s)\n{\n", name, join(D, n)
	emit_status(o, n)
	emit_was(o)
	if (o ~ / batch /)
		emit_copies(name, n)
	if (o ~ / statuses /) {
		printf "\tMPI_Status own[SIS_BATCH], *seen = %s == MPI_STATUSES_IGNORE ? own : " \
			"%s;\n", A[n], A[n]
		P[n] = "seen"
	}
	printf "\tint code = P%s(%s);\n", name, join(P, n)
	printf "\tif (SIS_LIKELY(code == MPI_SUCCESS && !(%s)))\n\t\treturn code;\n", found
	printf "\tstruct sis_mpi_call call;\n" \
		"\tsis__mpi_begin(&call, SIS_ROUTINE_%s);\n\tsis__mpi_end(&call);\n" \
		"\tif (call.nested)\n\t\treturn code;\n", base
	if (o ~ / batch /)
		printf "\tstruct sis_mpi_batch batch;\n" \
			"\tsis__mpi_batch_of(&batch, %s, %s, was, %s);\n", A[1], A[2],
			o ~ / statuses / ? "seen" : "NULL"
	printf "\tif (code == MPI_SUCCESS)\n\t\t%s;\n", after
	if (partly)
		printf "\tif (SIS_UNLIKELY(code != MPI_SUCCESS)) {\n\t\t%s;\n\t}\n", partly
	print "\treturn code;\n}\n"
	restore_arguments()
}

# Keeps the handles of a few requests. With more requests the call takes the general path.
function emit_copies(name, n) {
	printf "\tif (SIS_UNLIKELY(%s > SIS_BATCH))\n\t\treturn on_%s(%s);\n", A[1], name,
		join(A, n)
	printf "\tMPI_Request was[SIS_BATCH];\n" \
		"\tsis__mpi_copy_handles(was, %s, %s);\n", A[2], A[1]
}

# The arguments of PMPI, which emit_before may replace.
function restore_arguments(    i) {
	for (i in A)
		P[i] = A[i]
}

# The statement that replaces `statement` if a message was too long.
function when_cut(statement) {
	sub(/seen\)$/, "\\&cut)", statement)
	return "MPI_Status cut;\n\t\tif (sis__mpi_was_cut(code, seen, &cut))\n\t\t\t" statement
}

# Writes the general path.
function emit_any(head, list, frame, name, base, o, n, after, partly,    poll) {
	printf "%s(%s)\n{\n\tstruct sis_mpi_call call;\n", head, list
	emit_before(o, n)
	poll = expand(value_of(o, "poll"), n)
	printf "\tsis__mpi_begin%s_in(&call, %s, SIS_ROUTINE_%s);\n",
		o ~ / collective / ? "_collective" : poll ? "_poll" : "", frame, base
	printf "\tint code = P%s(%s);\n\tsis__mpi_end%s;\n", name, n ? join(P, n) : "",
		poll ? "_poll(&call, " in_vain(poll) ")" : "(&call)"
	emit_after(after, partly, base, o, o ~ / always / ? "!call.nested" : "call.thread", A[n])
	print "\treturn code;\n}\n"
}

function in_vain(poll) { return "code == MPI_SUCCESS && !(" poll ")" }

# Copies arguments that the call may change.
function emit_before(o, n) {
	emit_status(o, n)
	emit_was(o)
	if (match(o, / ends=[a-z]+/))
		printf "\tstruct sis_mpi_ended ended = sis__mpi_%s_ends(was);\n",
			substr(o, RSTART + 6, RLENGTH - 6)
	if (o ~ / batch /) {
		printf "\tstruct sis_mpi_batch batch;\n" \
			"\tsis__mpi_batch_begin(&batch, %s, %s, %s);\n",
			A[1], A[2], o ~ / statuses / ? A[n] : "NULL"
		if (o ~ / statuses /)
			P[n] = "batch.status"
	}
}

function emit_was(o,    place, type) {
	if (match(o, / was4?=[A-Za-z_]+/)) {
		place = substr(o, RSTART + 4, 1) == "4" ? 4 : 1
		type = substr(o, RSTART, RLENGTH)
		sub(/.*=/, "", type)
		printf "\t%s was = *%s;\n", type, A[place]
	}
}

function emit_status(o, n) {
	if (o !~ / status /)
		return
	printf "\tMPI_Status own, *seen = %s == MPI_STATUS_IGNORE ? &own : %s;\n", A[n], A[n]
	P[n] = "seen"
}

function emit_after(after, partly, base, o, when, last,    call) {
	call = "code == MPI_SUCCESS" (when ? " && " when : "")
	if (after ~ /^sis__mpi_(collective|neighbours)/ && volumes(blocking(base)))
		emit_volumes(after, base, call, when ? "call" : "quick", last)
	else if (after)
		printf "\tif (%s)\n\t\t%s;\n", call, after
	if (partly)
		printf "\tif (SIS_UNLIKELY(code != MPI_SUCCESS)%s) {\n\t\t%s;\n\t}\n",
			when ? " && " when : "", partly
	if (o ~ / batch /)
		print "\tsis__mpi_batch_end(&batch);"
}

# Counts `sent` and `received` of a collective; `after` finds the communicator's entry.
function emit_volumes(after, base, condition, call, last,    entry, type) {
	entry = after ~ /^sis__mpi_neighbours/ ? "neighbours" : "members"
	type = entry == "members" ? "struct sis_mpi_comm *" : "const struct sis_mpi_neighbours *"
	printf "\t%s%s = %s ? %s : NULL;\n" \
		"\tif (%s) {\n\t\tuint64_t sent = %s;\n\t\t%s, %s);\n\t}\n",
		type, entry, condition, after, entry, sent,
		base ~ /_init$/ ? "sis__mpi_collective_moves(*" last ", sent" : \
				  "sis__mpi_count(&" call ", 0, 0, sent",
		received == sent ? "sent" : received
}

# Writes the fast path, if the routine has one.
function emit_quick(own, way, name, base, o, n, after, partly) {
	printf "%s(%s)\n{\n\tstruct sis_mpi_call quick;\n\tchar frame;\n", own, join(D, n)
	printf "\tif (SIS_UNLIKELY(!sis__mpi_begin_quick_%s(&quick, (uintptr_t)&frame, " \
		"SIS_ROUTINE_%s)))\n", way, base
	printf "\t\treturn slow_%s((uintptr_t)&frame, %s);\n", name, join(A, n)
	emit_before(o, n)
	if (o ~ / expect /)
		printf "\tstruct sis_record_expected expected = sis__mpi_expect(&quick, comm);\n"
	sub(/\(&call, /, o ~ / expect / ? "_expected(\\&quick, \\&expected, " : \
		"_quick(\\&quick, ", after)
	printf "\tint code = P%s(%s);\n", name, join(P, n)
	printf "\tsis__mpi_end_quick%s;\n", way == "poll" ? \
		"_poll(&quick, " in_vain(expand(value_of(o, "poll"), n)) ")" : "(&quick)"
	if (partly)
		partly = "struct sis_mpi_call call = quick;\n\t\t" partly
	emit_after(after, partly, base, o, "")
	print "\treturn code;\n}\n"
}

# -- bytes of a collective: uses only arguments that are significant by the standard ---------------

# Returns the expression count x type for the parameters with these names. If they are arrays, it is
# the sum over the members. With `side` (a field of struct sis_mpi_neighbours) it is always the sum
# over the neighbours of that side.
function amount(counts, types, side,    suffix, type) {
	if (!(counts in N) || !(types in N))
		return ""
	if (T[N[counts]] !~ /\*$/ && D[N[counts]] !~ /\[/)
		return "sis__mpi_bytes_of(" counts ", " types ")" \
			(side ? " * neighbours->" side ".present" : "")
	suffix = (side ? "at" : "v") (D[N[counts]] ~ /MPI_Count/ ? "_c" : "")
	type = D[N[types]] ~ /[*\[]/ ? types ", 1" : "&" types ", 0"
	return "sis__mpi_bytes_" suffix "(" counts ", " type ", " \
		(side ? "&neighbours->" side : "members->size") ")"
}

function first(a, b, c) { return a ? a : b ? b : c }

# Sets `sent` and `received` to expressions. They refer to the communicator's entry `members`, or to
# its `neighbours`. Returns false if no bytes are moved (a barrier).
function volumes(base,    each, block) {
	if (base ~ /^MPI_Neighbor_/) { # neither form allows MPI_IN_PLACE
		sent = first(amount("sendcounts", "sendtypes", "to"),
			amount("sendcounts", "sendtype", "to"),
			amount("sendcount", "sendtype", "to"))
		received = first(amount("recvcounts", "recvtypes", "from"),
			amount("recvcounts", "recvtype", "from"),
			amount("recvcount", "recvtype", "from"))
		return 1
	}
	each = base ~ /Alltoall$|Scatter$/ ? " * members->size" : ""
	block = base ~ /Alltoall$|Gather$|Allgather$/ ? " * members->size" : ""
	if (base ~ /Reduce_scatter/) {
		sent = first(amount("recvcounts", "datatype"),
			amount("recvcount", "datatype") " * members->size")
		received = "recvcounts" in N ? \
			"sis__mpi_bytes(recvcounts[members->rank], datatype)" : \
			amount("recvcount", "datatype")
	} else if ("datatype" in N)
		sent = received = amount("count", "datatype")
	else {
		sent = first(amount("sendcounts", "sendtypes"), amount("sendcounts", "sendtype"),
			amount("sendcount", "sendtype") each)
		received = first(amount("recvcounts", "recvtypes"),
			amount("recvcounts", "recvtype"), amount("recvcount", "recvtype") block)
	}
	if (base ~ /^MPI_(Bcast|Scatterv?)$/)
		sent = "(root == members->rank ? " sent " : 0)"
	if (base ~ /^MPI_(Reduce|Gatherv?)$/)
		received = "(root == members->rank ? " received " : 0)"
	if (base == "MPI_Bcast")
		received = "(root == members->rank ? 0 : " received ")"
	if ("sendtype" in N || "sendtypes" in N)
		sent = "(sendbuf == MPI_IN_PLACE ? 0 : " sent ")"
	if (base ~ /^MPI_Scatterv?$/)
		received = "(recvbuf == MPI_IN_PLACE ? 0 : " received ")"
	return base != "MPI_Barrier"
}
