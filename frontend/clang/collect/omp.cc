// SPDX-License-Identifier: BSD-3-Clause
// omp.cc - the directives of OpenMP. Part of the walk of collect.h; same thread. Its one idea: a
// probe is around a construct, never between a directive and its statement.
#include "clang/collect/collect.h"

using namespace clang;
using OmpKind = llvm::omp::Directive;

namespace sis {

/// The type of region for a directive: the type in the first row whose words are in the directive's
/// name.
static sis_region_type directiveType(OmpKind Kind) {
  static const struct {
    const char *Words;
    sis_region_type Type;
  } Rows[] = {
      {"target", CR_OMPTARGET},         {"teams", CR_OMPTEAMS},
      {"distribute", CR_OMPDIST},       {"parallel for", CR_OMPPAFOR},
      {"parallel sections", CR_OMPPASEC}, {"parallel loop", CR_OMPPAFOR},
      {"parallel", CR_OMPPA},           {"taskloop", CR_OMPTASKLOOP},
      {"taskwait", CR_OMPTASKWAIT},     {"taskgroup", CR_OMPTASKGROUP},
      {"taskyield", CR_OMPTASKYIELD},   {"task", CR_OMPTASK},
      {"for", CR_OMPFOR},               {"sections", CR_OMPSECTIONS},
      {"single", CR_OMPSINGLE},         {"master", CR_OMPMASKED},
      {"masked", CR_OMPMASKED},         {"critical", CR_OMPCRITICAL},
      {"atomic", CR_OMPATOMIC},         {"ordered", CR_OMPORDERED},
      {"barrier", CR_OMPBARRIER},       {"flush", CR_OMPFLUSH},
      {"simd", CR_OMPSIMD},             {"loop", CR_OMPLOOP},
      {"scope", CR_OMPSCOPE},           {"cancel", CR_OMPCANCEL},
      {"cancellation point", CR_OMPCANCEL},
  };
  std::string Name = (" " + llvm::omp::getOpenMPDirectiveName(Kind) + " ").str();
  for (const auto &Row : Rows)
    if (Name.find(std::string(" ") + Row.Words + " ") != std::string::npos)
      return Row.Type;
  return CR_OMPOTHER;
}

/// Why no probe may be anywhere inside a construct; NULL if probes may be there.
static const char *closedInside(OmpKind Kind, sis_region_type Type) {
  if (Type == CR_OMPATOMIC)
    return "inside an atomic construct";
  if (Kind == llvm::omp::OMPD_dispatch)
    return "inside a dispatch construct, which is one call";
  if (isOpenMPSimdDirective(Kind))
    return "inside a simd construct, which a probe would serialize";
  if (isOpenMPGenericLoopDirective(Kind))
    return "inside a loop construct, where calls are not allowed";
  if (isOpenMPTargetExecutionDirective(Kind) || Type == CR_OMPDIST)
    return "inside a target or distribute construct, which may run on a device";
  return nullptr;
}

/// With default(none), or any default but shared, the variables of the probes inside must be listed
/// as shared.
void Collector::sharing(const OMPExecutableDirective *D) {
  const auto *Default = D->getSingleClause<OMPDefaultClause>();
  const Stmt *Body = D->hasAssociatedStmt() ? associatedStatement(D) : nullptr;
  if (!Default || !Body || Default->getDefaultKind() == llvm::omp::OMP_DEFAULT_shared)
    return;
  EditPoint End = Map.after(Default->getEndLoc());
  StatementExtent Extent = Map.statement(Body);
  if (!End.Why)
    Ast.Sharing.push_back({FunctionNumber, End.Offset, Extent.First, Extent.Last});
}

/// No jump leads into or out of the statement of a directive.
void Collector::addBarrier(const Stmt *Body) {
  StatementExtent Extent = Map.statement(Body);
  Model.Barriers.push_back({Extent.First, Extent.Last});
}

/// `omp section`: the probe is around the section's statement, behind the directive.
void Collector::section(const OMPExecutableDirective *D, const Stmt *Body, Constraints In) {
  In.Locked = nullptr;
  addBarrier(Body);
  StatementExtent Outer = Map.statement(D);
  size_t Number = Ast.Regions.size();
  wrapped(Body, CR_OMPSECTION, In);
  Region &R = Ast.Regions[Number];
  R.First = Outer.First;
  R.Public.begin = Map.position(R.First);
  body(Body, In);
}

/// Whether a reduction with inscan is among the clauses. Then a `scan` directive divides the loop
/// body into two parts, to which no statement may be added.
static bool isDivided(const OMPExecutableDirective *D) {
  for (const auto *Reduction : D->getClausesOfKind<OMPReductionClause>())
    if (Reduction->getModifier() == OMPC_REDUCTION_inscan)
      return true;
  return false;
}

/// The body of a task construct is a region with the construct's position. Its probe is before the
/// directive, because the thread that executes a task may be another one than its creator, and
/// because a task of a taskloop executes many iterations.
void Collector::taskBody(const OMPExecutableDirective *D, const Constraints &In) {
  wrapped(D, CR_OMPTASKBODY, In).How = Form::Task;
}

void Collector::directive(const OMPExecutableDirective *D, Constraints In) {
  OmpKind Kind = D->getMappedDirective(); // `loop` is turned into what it binds to
  if (Kind == llvm::omp::OMPD_unknown)
    Kind = D->getDirectiveKind();
  const Stmt *Body = associatedStatement(D);
  if (Kind == llvm::omp::OMPD_section)
    return section(D, Body, In);
  sis_region_type Type = directiveType(Kind);
  Region &R = wrapped(D, Type, In);
  if (Type == CR_OMPOTHER)
    R.BareName = Ast.keep(("omp " + llvm::omp::getOpenMPDirectiveName(Kind)).str());
  if (Body)
    effects(R, D, Body);
  if (Kind == llvm::omp::OMPD_task || isOpenMPTaskLoopDirective(Kind))
    taskBody(D, In);
  sharing(D);
  clauses(D, In);
  if (!Body)
    return;
  addBarrier(Body);
  In.Locked = In.ListLocked = nullptr;
  In.LastIsValue = false;
  In.OmpLoops = 0;
  In.Closed = firstOf(In.Closed, closedInside(Kind, Type));
  if (const auto *Loops = dyn_cast<OMPLoopBasedDirective>(D)) {
    // N of ordered(N) is the number of loops that belong to the directive.
    const auto *Ordered = D->getSingleClause<OMPOrderedClause>();
    const Expr *Count = Ordered ? Ordered->getNumForLoops() : nullptr;
    bool Known = Count && !Count->isValueDependent();
    unsigned N = Known ? Count->EvaluateKnownConstInt(Context).getZExtValue() : 0;
    In.OmpLoops = std::max(Loops->getLoopsNumber(), N);
    In.OmpBody = isDivided(D) ? "is divided by a scan directive" : nullptr;
    In.Locked = In.ListLocked = "belongs to the directive of OpenMP before it";
  } else if (Type == CR_OMPSECTIONS || Type == CR_OMPPASEC) {
    In.Locked = In.ListLocked = "holds the sections of a directive of OpenMP";
  } else if (Type == CR_OMPOTHER) {
    In.Locked = "belongs to the directive of OpenMP before it"; // tile, dispatch ...
  }
  body(Body, In);
}

} // namespace sis
