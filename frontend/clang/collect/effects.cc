// SPDX-License-Identifier: BSD-3-Clause
// effects.cc - what clauses of OpenMP make the threads do: private copies, and reductions. Part of
// the walk of collect.h; same thread. Its one idea: copies and combinations that take longer than a
// probe are timed; all others are only counted. Probes are needed only where the runtime is not
// called.
#include "clang/collect/collect.h"

using namespace clang;

namespace sis {

/// Copies of fewer bytes take less time than two readings of the clock.
static constexpr int64_t SmallCopy = 4096;

/// The sum of the sizes of the variables; SmallCopy if a size is known at run time only, or depends
/// on a parameter of a template.
template <typename Clause>
static int64_t bytesOf(const Clause *C, const ASTContext &Context) {
  int64_t Bytes = 0;
  for (const Expr *Variable : C->varlists()) {
    QualType Type = Variable->getType();
    bool Later = Type->isVariablyModifiedType() && !Type->isPointerType();
    Bytes += Later || Type->isDependentType()
                 ? SmallCopy
                 : Context.getTypeSizeInChars(Type).getQuantity();
  }
  return Bytes;
}

/// Whether combining takes long: it combines arrays or structures, or uses a reduction that the
/// program declares.
static bool isLarge(const OMPReductionClause *C) {
  DeclarationNameInfo Name = C->getNameInfo();
  const IdentifierInfo *Own = Name.getName().getAsIdentifierInfo();
  if (Own && !Own->isStr("min") && !Own->isStr("max"))
    return true;
  for (const Expr *Variable : C->varlists()) {
    QualType Type = Variable->getType();
    if (isa<ArraySectionExpr>(Variable->IgnoreParenImpCasts()) || Type->isArrayType() ||
        Type->isRecordType() || Type->isAnyComplexType())
      return true;
  }
  return false;
}

static unsigned reductionEffects(const OMPExecutableDirective *D) {
  unsigned Found = 0;
  for (const auto *C : D->getClausesOfKind<OMPReductionClause>())
    if (C->getModifier() != OMPC_REDUCTION_inscan)
      Found |= isLarge(C) ? clause::Reduce | clause::Private : clause::CountReduce;
  for (const auto *C : D->getClausesOfKind<OMPTaskReductionClause>())
    (void)C, Found |= clause::Reduce;
  return Found;
}

static unsigned copyEffects(const OMPExecutableDirective *D, const ASTContext &Context) {
  int64_t Bytes = 0;
  bool Written = false;
  for (const auto *C : D->getClausesOfKind<OMPFirstprivateClause>()) {
    Bytes += bytesOf(C, Context);
    Written |= !C->isImplicit();
  }
  for (const auto *C : D->getClausesOfKind<OMPCopyinClause>()) {
    Bytes += bytesOf(C, Context);
    Written = true;
  }
  return Bytes >= SmallCopy ? clause::Private : Written ? clause::CountPrivate : 0;
}

/// Whether the runtime looks for such effects in constructs of this type.
static bool hasEffects(sis_region_type Type) {
  return Type == CR_OMPPA || Type == CR_OMPPAFOR || Type == CR_OMPPASEC || Type == CR_OMPFOR ||
         Type == CR_OMPSECTIONS || Type == CR_OMPSINGLE || Type == CR_OMPSCOPE ||
         Type == CR_OMPTASK || Type == CR_OMPTASKLOOP || Type == CR_OMPTASKGROUP;
}

/// The first bound of a loop; null if none can be found.
static const Expr *firstBound(const Stmt *Loop) {
  const auto *For = dyn_cast_or_null<ForStmt>(Loop);
  const Stmt *Init = For ? For->getInit() : nullptr;
  if (const auto *Assignment = dyn_cast_or_null<BinaryOperator>(Init))
    return Assignment->getRHS();
  const auto *Declaration = dyn_cast_or_null<DeclStmt>(Init);
  const auto *Variable =
      Declaration && Declaration->isSingleDecl() ? dyn_cast<VarDecl>(Declaration->getSingleDecl())
                                                 : nullptr;
  return Variable ? Variable->getInit() : nullptr;
}

PrivatesMade Collector::aroundBound(const Stmt *Loop) const {
  const Expr *Bound = firstBound(Loop);
  if (!Bound)
    return {};
  EditPoint Begin = Map.before(Bound->getBeginLoc()), End = Map.after(Bound->getEndLoc());
  if (Begin.Why || End.Why)
    return {};
  return {PrivatesMade::Around, {Begin.Offset, false, {}}, {End.Offset, false, {}}};
}

PrivatesMade Collector::beforeBody(const Stmt *Body) const {
  if (const auto *Block = dyn_cast<CompoundStmt>(Body)) {
    EditPoint Brace = Map.after(Block->getLBracLoc());
    if (Brace.Why)
      return {};
    return {PrivatesMade::Behind, {afterBrace(Brace.Offset), false, {}}, {}};
  }
  StatementExtent Extent = Map.statement(Body);
  if (Extent.Why)
    return {};
  return {PrivatesMade::InFront, Extent.Begin, Extent.End};
}

/// Finds what the clauses of the construct do. Body is the statement of the construct. Copies are
/// not timed if neither a probe nor a call of the OpenMP runtime tells when they end.
void Collector::effects(Region &R, const OMPExecutableDirective *D, const Stmt *Body) {
  sis_region_type Type = R.Public.type;
  if (R.Public.obstacle || !hasEffects(Type))
    return;
  unsigned Found = reductionEffects(D) | copyEffects(D, Context);
  bool Loop = isa<OMPLoopBasedDirective>(D), Task = Type == CR_OMPTASK || Type == CR_OMPTASKLOOP;
  bool Sections = Type == CR_OMPSECTIONS || Type == CR_OMPPASEC;
  if (Task) // the runtime counts each task
    Found &= ~clause::CountPrivate;
  if (Type == CR_OMPTASKGROUP || (Loop && Type == CR_OMPPA) ||
      (Type == CR_OMPTASKLOOP && Found & clause::Reduce) ||
      isOpenMPGenericLoopDirective(D->getDirectiveKind()))
    Found &= ~clause::Private;
  if (Found & clause::Private && Loop && !Task && Ast.ForGCC)
    R.Made = aroundBound(Body);
  else if (Found & clause::Private && !Loop && !Task && !Sections)
    R.Made = beforeBody(Body);
  else if (Found & clause::Private && !Task && !Ast.ForGCC)
    Found |= clause::Libomp;
  bool Told = R.Made.Side != PrivatesMade::Nowhere || Task || Sections || Found & clause::Libomp;
  R.Clauses = Told ? Found : Found & ~clause::Private;
}

} // namespace sis
