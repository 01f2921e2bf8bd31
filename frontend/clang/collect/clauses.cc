// SPDX-License-Identifier: BSD-3-Clause
// clauses.cc - calls in expressions of an OpenMP directive: in its clauses, and in the combiner and
// initializer of a reduction that it declares. Part of the walk of collect.h; same thread. Its one
// idea: no probe may be in a directive's line, so each such call is a region with an obstacle.
#include "clang/collect/collect.h"

using namespace clang;

namespace sis {

/// The expression of a clause that is not among the clause's children(); null if there is none.
static const Stmt *besideChildren(const OMPClause *C) {
  if (const auto *Allocate = dyn_cast<OMPAllocateClause>(C))
    return Allocate->getAllocator();
  if (const auto *Linear = dyn_cast<OMPLinearClause>(C))
    return Linear->getStep();
  if (const auto *Depend = dyn_cast<OMPDependClause>(C))
    return Depend->getModifier();
  if (const auto *Map = dyn_cast<OMPMapClause>(C))
    return const_cast<OMPMapClause *>(Map)->getIteratorModifier();
  if (const auto *Affinity = dyn_cast<OMPAffinityClause>(C))
    return const_cast<OMPAffinityClause *>(Affinity)->getModifier();
  return nullptr;
}

void Collector::clauses(const OMPExecutableDirective *D, Constraints In) {
  In.Closed = "in a clause of a directive of OpenMP";
  for (const OMPClause *C : D->clauses()) {
    if (C->isImplicit())
      continue;
    expression(besideChildren(C), In, true);
    for (const Stmt *Child : C->children())
      expression(Child, In, true);
  }
}

void Collector::declaredReduction(const OMPDeclareReductionDecl *D, Constraints In) {
  In.Closed = firstOf(In.Closed, "in a reduction that a directive of OpenMP declares");
  expression(D->getCombiner(), In, false);
  expression(D->getInitializer(), In, false);
}

} // namespace sis
