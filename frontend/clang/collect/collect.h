/* SPDX-License-Identifier: BSD-3-Clause */
// collect.h - walks the functions of a parsed translation unit and collects their regions.
#ifndef SIS_FRONTEND_COLLECT_H
#define SIS_FRONTEND_COLLECT_H

#include "clang/collect/cost.h"
#include "clang/collect/frequency.h"
#include "clang/collect/device.h"
#include "clang/text/directive.h"
#include "clang/collect/function_model.h"
#include "clang/parse/rejected.h"
#include "clang/text/source_map.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclOpenMP.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/ExprConcepts.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

namespace sis {

/// What a construct forbids inside itself, and the context for the statements and expressions
/// there.
struct Constraints {
  // Closed, Locked and ListLocked are NULL if nothing forbids the text.
  const char *Closed = nullptr;     // why no probe may be inserted inside
  const char *Locked = nullptr;     // why no text may be put around the next statement
  const char *ListLocked = nullptr; // why no text may be put between the next block's statements
  unsigned OmpLoops = 0;            // how many of the next nested loops belong to a directive
  const char *OmpBody = nullptr;    // ListLocked of the block of the innermost of these loops
  bool LastIsValue = false;         // the last statement of the next block is the value of ({ })
  unsigned Break = 0, Continue = 0; // offsets of the targets of `break` and `continue`
  TargetSlot BreakTarget, ContinueTarget;
  unsigned ScopeEnd = 0;            // end of the scope of a loop header's variables
  unsigned List = Slot::NoList;     // number of the innermost block
  size_t Loop = SIZE_MAX;           // innermost loop's region
};

class RegionExtents;

class Collector {
public:
  Collector(sis_ast &Ast, SourceMap &Map, clang::ASTContext &Context,
            const RejectedFunctions &Rejected, const DeviceFunctions &Devices, Reporter &Report)
      : Ast(Ast), Map(Map), Context(Context), Rejected(Rejected), Devices(Devices), Report(Report),
        Costs(Context, Rejected), Frequency(Context) {}
  void run();

private:
  // collect.cc: functions and statements
  void assignDirectives(const std::vector<const clang::FunctionDecl *> &Functions);
  void function(const clang::FunctionDecl *F);
  void parameters(const clang::FunctionDecl *F, unsigned BodyFirst, unsigned BodyLast);
  void functionBody(const clang::FunctionDecl *F, size_t FirstRegion);
  bool mayBePhase(const clang::FunctionDecl *F);
  void describeFunction(const clang::FunctionDecl *F, size_t FirstRegion);
  void reductionOutside(const clang::OMPDeclareReductionDecl *D);
  void resetFunction();
  const char *rejected(const clang::FunctionDecl *F);
  bool isEvaluated(const clang::FunctionDecl *F) const;
  const char *closedFunction(const clang::FunctionDecl *F) const;
  const char *functionObstacle(const clang::FunctionDecl *F) const;
  void functionRegions(const clang::FunctionDecl *F);
  void slot(const clang::Stmt *S, Constraints In, unsigned List, unsigned Index);
  void body(const clang::Stmt *S, Constraints In) { slot(S, In, Slot::NoList, 0); }
  void statement(const clang::Stmt *S, Constraints In);
  void expressionStatement(const clang::Expr *S, const Constraints &In);
  void compound(const clang::CompoundStmt *S, Constraints In, bool IsRegion);
  void blockRegion(const clang::CompoundStmt *S, const Constraints &In);
  void branchRegion(const clang::Stmt *S, sis_region_type Type, const clang::Expr *Condition,
                    Constraints &In);
  void ifStatement(const clang::IfStmt *If, Constraints In);
  void switchStatement(const clang::SwitchStmt *Switch, Constraints In);
  void switchBody(const clang::Stmt *S, const Constraints &In);
  void jump(const clang::Stmt *S, const Constraints &In);
  void tryStatement(const clang::CXXTryStmt *S, Constraints In);
  void handlers(const clang::CXXTryStmt *S, const Constraints &In);
  void assembly(const clang::GCCAsmStmt *S, const Constraints &In);
  void tableOfLabels(const clang::Stmt *S);
  void declaration(const clang::DeclStmt *S, const Constraints &In);
  void declaredNames(const clang::Decl *D, unsigned At, const Constraints &In);
  void variable(const clang::VarDecl &Variable, unsigned At, const Constraints &In);
  void finishJumps();
  void dropUnfitSetjmpCalls();
  void countEntriesAndExits(Region &R);
  Region &wrapped(const clang::Stmt *S, sis_region_type Type, const Constraints &In);
  Region &add(sis_region_type Type, const char *BareName);
  unsigned afterBrace(unsigned Offset) const;
  void addJump(clang::SourceLocation From, unsigned To, bool NoCleanup = false,
               TargetSlot Target = {});
  std::pair<uint32_t, uint32_t> directivesIn(unsigned First, unsigned Last) const;
  void labelledAt(clang::SourceLocation Colon, const clang::Stmt *S, const Constraints &In);

  // loops.cc: loops, and the headers of statements
  void loop(const clang::Stmt *S, sis_region_type Type, const Constraints &Outside);
  void loopRegion(const clang::Stmt *S, sis_region_type Type, const Constraints &In);
  Constraints insideLoop(Constraints In, size_t Number, unsigned Own) const;
  void headerPart(const clang::Stmt *S, const Constraints &Header, unsigned End);
  void condition(const clang::DeclStmt *Variable, const clang::Expr *Condition,
                 const Constraints &Header, unsigned End);
  void forHeader(const clang::ForStmt *For, const Constraints &Header, unsigned LoopEnd);
  void loopHeader(const clang::Stmt *S, unsigned SlotNumber);

  // calls.cc: expressions and the calls in them
  void expression(const clang::Stmt *S, const Constraints &In, bool Used);
  void record(const clang::Stmt *S, const Constraints &In, bool Used);
  void operands(const clang::Stmt *S, const Constraints &In, bool Used);
  void statementExpression(const clang::StmtExpr *S, Constraints In, bool Used);
  void typeSizes(const clang::TypeSourceInfo *Type, const Constraints &In);
  void sizeofType(const clang::UnaryExprOrTypeTraitExpr *S, const Constraints &In);
  void casting(const clang::CastExpr *C, const Constraints &In, bool Used);
  void call(const clang::CallExpr *C, const Constraints &In, bool Used);
  Region &callRegion(const clang::CallExpr *C, const clang::FunctionDecl *F);
  const char *callObstacle(const clang::CallExpr *C, const clang::FunctionDecl *F, Form How) const;
  bool isLibrary(const clang::FunctionDecl *F) const;

  // omp.cc
  void directive(const clang::OMPExecutableDirective *D, Constraints In);
  void section(const clang::OMPExecutableDirective *D, const clang::Stmt *Body, Constraints In);
  void taskBody(const clang::OMPExecutableDirective *D, const Constraints &In);
  void sharing(const clang::OMPExecutableDirective *D);
  void addBarrier(const clang::Stmt *Body);

  // effects.cc
  void effects(Region &R, const clang::OMPExecutableDirective *D, const clang::Stmt *Body);
  PrivatesMade aroundBound(const clang::Stmt *Loop) const;
  PrivatesMade beforeBody(const clang::Stmt *Body) const;

  // clauses.cc: expressions in directives of OpenMP
  void clauses(const clang::OMPExecutableDirective *D, Constraints In);
  void declaredReduction(const clang::OMPDeclareReductionDecl *D, Constraints In);

  // named_regions.cc: regions and switches that directives request; needs the complete model
  void namedRegions(unsigned BodyFirst, unsigned BodyLast);
  void namedRegion(uint32_t BeginNumber);
  bool isIgnored(Directive &D);
  void measureOff(Directive &Off, Directive &On);
  void traceSwitch(Directive &D);
  void choosePairForm(Region &R, const Directive &Begin, const Directive &End) const;
  void formOfSplitPair(Region &R, const Directive &Begin, const Directive &End) const;
  void formInList(Region &R, const Directive &Begin, const Directive &End, unsigned Number) const;
  const Slot *enclosedRun(const Directive &Begin, const Directive &End) const;
  const Slot *runFrom(unsigned First, unsigned Last) const;
  const char *escaping(const Directive &Begin, const Directive &End, unsigned Number) const;
  bool betweenStatements(const Directive &D) const;
  bool amongStatements(const Directive &D, bool Begins) const;

  // flag_regions.cc: regions with several entries or exits
  void flagRegions(size_t FirstRegion);
  void findOverlaps(size_t FirstRegion);
  const char *promoteIn(RegionExtents &Unflagged, uint32_t Number);
  const char *flagWithOverlaps(uint32_t Pair, const RegionExtents &Guarded,
                               RegionExtents &Unflagged);
  bool flagAround(RangeIndex &Unflagged, Region &Inner);
  bool flagAroundAll(size_t FirstRegion);
  const char *promote(Region &R);
  const char *blockedBy(const Region &R, const char *Why) const;
  const char *becomeFlag(Region &R);
  const char *findCrossings(Region &R);
  void addCrossing(std::vector<JumpTarget> &All, TargetSlot Where, const char *&Why) const;
  void addForwardExits(Region &R, const char *&Why) const;

  // condition.cc: where if(...) is evaluated
  void conditions(unsigned BodyFirst, unsigned BodyLast);
  void scopedCondition(Directive &Begin);
  const char *hiddenName(const Directive &D, unsigned At) const;
  bool isVisible(const std::string &Name, unsigned At) const;

  sis_ast &Ast;
  SourceMap &Map;
  clang::ASTContext &Context;
  const RejectedFunctions &Rejected;
  const DeviceFunctions &Devices;
  Reporter &Report;
  llvm::StringSet<> Resolvers; // of ifuncs

  std::vector<const clang::FunctionDecl *> Owners; // by directive: the innermost function around it
  std::vector<uint32_t> OutsideConditions; // directives outside of functions that have a condition

  // the current function
  FunctionModel Model;
  const clang::FunctionDecl *Current = nullptr;
  unsigned FunctionNumber = 0;
  const char *FunctionName = "";
  const char *FunctionClosed = nullptr; // why it may have no probe; NULL if it may
  unsigned FunctionFile = 0;            // number of the file in which it begins
  struct Label {
    unsigned At, Slot;
  };
  llvm::DenseMap<const clang::LabelDecl *, Label> Labels;
  llvm::DenseMap<const clang::SwitchCase *, unsigned> Cases; // slot of the labelled statement
  struct Goto {
    clang::SourceLocation From;
    const clang::LabelDecl *To; // NULL: a computed goto
    bool NoCleanup;
  };
  std::vector<Goto> Gotos;
  std::vector<const clang::LabelDecl *> Addressed; // labels whose address is taken
  const clang::Expr *WholeStatement = nullptr; // the expression that the last statement consists of
  llvm::DenseSet<const clang::Stmt *> Once; // walked expressions that several nodes share
  CostModel Costs;
  CallFrequency Frequency;
};

/// The parts of an expression that forbid putting it into a block of its own.
struct BlockTies {
  bool Literal = false; // a compound literal, which lives as long as the block
  bool Jump = false;    // a jump, which leaves a statement expression
  bool Twice = false;   // a call that may return again after its statement was left
};
BlockTies tiesOf(const clang::Stmt *S);

/// Why no scope guard may be around an expression that calls setjmp or the like; NULL if a guard
/// may be there. When such a call returns again, the end of the guard would run once more, but the
/// begin of the guard would not.
/// LIMIT: if a region around the expression was left before the call returns again, the region is
/// left once too often. The runtime counts this leave as unmatched.
inline const char *reentered(const BlockTies &Found) {
  return Found.Twice ? "holds a call that may return again after it was left, as setjmp does"
                     : nullptr;
}

/// The first of two obstacles; NULL if there is none.
inline const char *firstOf(const char *A, const char *B) { return A ? A : B; }

} // namespace sis

#endif
