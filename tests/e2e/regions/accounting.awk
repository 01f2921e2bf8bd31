# SPDX-License-Identifier: BSD-3-Clause
# accounting.awk - what there is to measure in a unit, as `KIND COUNT` lines, counted in two ways
# that must agree:
#
#   awk -f accounting.awk AST                 clang's -Xclang -ast-dump: functions with a body
#                                             outside system headers, and in them loops, blocks,
#                                             branches, constructs, calls
#   awk -v explained=1 -f accounting.awk OUT  sisc --sis-explain; a line that gives no reason is
#                                             counted `unexplained`
#
# A call that is never executed does not count: in sizeof, in a static initializer, in an arm of
# _Generic that is not taken. Calls in clauses are counted apart: clang's dump hides some of them.

# clang turns a loop construct into what it binds to
BEGIN { loops = "CR_OMPFOR, _SIMD, _DIST, _LOOP" }

function construct(kind) { # the region type of an OMP...Directive
	sub(/^OMP/, "", kind)
	sub(/Directive$/, "", kind)
	if (kind ~ /Target/) return "CR_OMPTARGET"
	if (kind ~ /Teams/) return "CR_OMPTEAMS"
	if (kind ~ /^(For|Simd|GenericLoop|Distribute)/) return loops
	if (kind ~ /ParallelFor|ParallelGenericLoop/) return "CR_OMPPAFOR"
	if (kind ~ /ParallelSections/) return "CR_OMPPASEC"
	if (kind ~ /Parallel/) return "CR_OMPPA"
	if (kind ~ /TaskLoop/) return "CR_OMPTASKLOOP"
	if (kind ~ /^Master|^Masked/) return "CR_OMPMASKED"
	if (kind ~ /^Cancel/) return "CR_OMPCANCEL"
	if (kind ~ /^(Sections?|Single|Critical|Atomic|Ordered|Barrier|Flush|Scope)$/ ||
		kind ~ /^Task(wait|group|yield)?$/) return "CR_OMP" toupper(kind)
	return "CR_OMPOTHER"
}

# -- what sisc says ------------------------------------------------------------------------------
function read_explanation(    type) {
	if (!match($0, /: CR_[A-Z0-9]+ /)) return
	type = substr($0, RSTART + 2, RLENGTH - 3)
	if ($0 !~ /: (not measured|measured for [^:]+): ./ || /: not asked for/) count["unexplained"]++
	if (/: in a clause of a directive of OpenMP$/) count["call in a clause"]++
	else if (type ~ /^CR_OMP(FOR|SIMD|DIST|LOOP)$/) count[loops]++
	else if (type ~ /^CR_(F|FOR|WHILE|DO|IF|SWITCH|BLOCK)$/ || type ~ /^CR_OMP/ &&
		type !~ /^CR_OMP(LOCK|API)$/) count[type]++
	else if (type !~ /^CR_(P|A|STMT)$/) count["call"]++
}

# -- what clang says -----------------------------------------------------------------------------
# The file that the line's node lies in: the last one that is named before the first type.
function follow_file(    places, name) {
	places = $0
	sub(/'.*/, "", places)
	while (match(places, /[^ <>,]+:[0-9]+:[0-9]+/)) {
		name = substr(places, RSTART, RLENGTH)
		places = substr(places, RSTART + RLENGTH)
		sub(/:.*/, "", name)
		if (name != "line" && name != "space") file = name # <scratch space>
	}
}

function read_node(    kind, address) {
	depth = match($0, /[A-Za-z<]/) - 1
	if (depth <= 0) return
	kind = substr($0, depth + 1)
	address = kind
	sub(/ .*/, "", kind)
	sub(/^[^ ]* /, "", address)
	sub(/ .*/, "", address)
	follow_file()
	if (depth == 2) {
		user = file !~ /^\/usr\/|^<built-in|\/sis\/[a-z_]+\.h$/
		inside = kind == "OMPDeclareReductionDecl"
	}
	if (user && depth == 4 && kind == "CompoundStmt" && declaration == "FunctionDecl") {
		inside = 1
		count["CR_F"]++
	}
	if (depth == 2) declaration = kind
	if (!user || !inside) return
	if ($0 ~ /value: Int /) value = $NF
	if (skip != "" && depth > skip) return
	skip = ""
	if (clause != "" && depth <= clause) clause = ""
	if (hollow != "" && depth <= hollow) hollow = ""
	look_at(kind, address)
	above[depth] = kind
}

# Whether the compiler never evaluates what the node shows, the NUMBER-th below its parent.
function is_dead(kind, parent, number) {
	if (kind == "UnaryExprOrTypeTraitExpr" || kind == "OffsetOfExpr" ||
		kind == "ConstantExpr") return 1
	if (kind == "VarDecl") return / static /
	if (parent == "GenericSelectionExpr") return number == 1 || kind ~ /^(case|default)$/ &&
		!/ selected$/
	# the variant of a function, called with the same text
	if (parent == "PseudoObjectExpr") return number > 1
	if (parent != "ChooseExpr") return 0
	if (number == 2) taken[depth] = value
	return number > 1 && (taken[depth] != 0) == (number == 3)
}

function look_at(kind, address,    parent) {
	parent = above[depth - 2]
	children[depth] = 0
	if (is_dead(kind, parent, ++children[depth - 2])) {
		skip = depth
		return
	}
	if (kind ~ /^OMP.*Clause$/) clause = depth
	if (/ openmp_standalone_directive$/) hollow = depth # clang gives some of them a body
	# where variables are captured, what captures them is shown again
	if (seen[kind, address]++) return
	if (hollow != "" && depth > hollow && clause == "") return
	if (kind ~ /^(For|While|Do|If|Switch)Stmt$/)
		count["CR_" toupper(substr(kind, 1, length(kind) - 4))]++
	else if (kind == "CompoundStmt" && parent != "StmtExpr" &&
		!(depth == 4 && declaration == "FunctionDecl")) count["CR_BLOCK"]++
	else if (kind == "CallExpr") count[clause != "" ? "call in a clause" : "call"]++
	else if (kind ~ /^OMP.*Directive$/) {
		count[construct(kind)]++
		if (kind ~ /^OMPTaskDirective$|TaskLoop/) count["CR_OMPTASKBODY"]++
	}
}

{ if (explained) read_explanation(); else read_node() }
END { for (kind in count) print kind, count[kind] }
