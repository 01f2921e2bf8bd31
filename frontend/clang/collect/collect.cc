// SPDX-License-Identifier: BSD-3-Clause
// collect.cc - walks functions and statements; see collect.h. Runs once per translation unit, in
// the thread that calls sis_ast_open, while clang's AST exists. Its one idea: a construct passes
// what it forbids to the statements inside it (Constraints), so the obstacle of each region is
// known as soon as the walk reaches the region.
#include "clang/collect/collect.h"
#include "clang/collect/function_tokens.h"
#include "clang/parse/functions.h"

#include "clang/AST/Attr.h"

#include "llvm/Demangle/Demangle.h"

#include <algorithm>

using namespace clang;

namespace sis {

/// Finds the function of each directive. Directives with a condition outside of functions apply to
/// all functions.
void Collector::assignDirectives(const std::vector<const FunctionDecl *> &Functions) {
  Owners.resize(Ast.Directives.size());
  for (const FunctionDecl *F : Functions) { // a function is before those inside it
    auto [First, Last] = directivesIn(Map.offset(bodyBlock(F)->getBeginLoc()),
                                      Map.endOffset(F->getBody()->getEndLoc()));
    std::fill(Owners.begin() + First, Owners.begin() + std::max(First, Last), F);
  }
  for (uint32_t I = 0; I < Ast.Directives.size(); ++I)
    if (const Directive &D = Ast.Directives[I];
        D.Public.kind == SIS_AST_CR_GLOBAL && *D.Public.condition && !Owners[I])
      OutsideConditions.push_back(I);
}

void Collector::run() {
  const TranslationUnitDecl *Unit = Context.getTranslationUnitDecl();
  for (const Decl *D : Unit->decls())
    if (const auto *Attribute = D->getAttr<IFuncAttr>())
      Resolvers.insert(Attribute->getResolver());
  const SourceManager &SM = Context.getSourceManager();
  std::vector<const FunctionDecl *> Functions = definedFunctions(Context);
  assignDirectives(Functions);
  auto Next = Functions.begin();
  auto visitUntil = [&](const Decl *D) { // all functions that begin before D
    for (; Next != Functions.end() &&
           (!D || SM.isBeforeInTranslationUnit((*Next)->getBeginLoc(), D->getBeginLoc()));
         ++Next)
      function(*Next);
  };
  for (const Decl *D : Unit->decls())
    if (const auto *Reduction = dyn_cast<OMPDeclareReductionDecl>(D);
        Reduction && !SM.isInSystemHeader(D->getLocation())) {
      visitUntil(D);
      reductionOutside(Reduction);
    }
  visitUntil(nullptr);
  summarizeFunctions(Ast, Map);
}

static const char ConstexprFunction[] =
    "is in a constexpr function, which the compiler may evaluate";

/// Whether the compiler may need the function's result, because the function is constexpr. C++17
/// makes a lambda constexpr without the word if that is possible. Inside a function, the compiler
/// rarely needs the result of such a lambda.
bool Collector::isEvaluated(const FunctionDecl *F) const {
  if (!F->isConstexpr() || !isLambda(F) || !functionAround(F))
    return F->isConstexpr();
  const std::vector<FlatToken> &Tokens = Map.tokens();
  unsigned Brace = Map.offset(F->getBody()->getBeginLoc());
  size_t I = Map.tokenFrom(Map.offset(F->getBeginLoc()));
  while (I < Tokens.size() && Tokens[I].First < Brace && Tokens[I].Kind != tok::kw_constexpr &&
         Tokens[I].Kind != tok::kw_consteval)
    ++I;
  return I < Tokens.size() && Tokens[I].First < Brace;
}

/// Why no probe may be in a function; NULL if probes may be in it.
const char *Collector::closedFunction(const FunctionDecl *F) const {
  if (F->hasAttr<NakedAttr>())
    return "is in a naked function";
  if (isa<CoroutineBodyStmt>(F->getBody()))
    return "is in a coroutine, which may be continued elsewhere";
  if (F->isConsteval())
    return "is in a consteval function, which the compiler evaluates";
  if (isEvaluated(F))
    return ConstexprFunction;
  if (Resolvers.count(identifierOf(F)))
    return "is in the resolver of an ifunc, which runs before relocation";
  if (Devices.count(F->getCanonicalDecl()))
    return "is in a function that may run on a device";
  const FunctionDecl *Around = functionAround(F);
  return Around ? closedFunction(Around) : nullptr;
}

/// Why no probe may be in the function, if clang cannot parse it; NULL if clang can. The walk still
/// visits the part that clang parsed.
const char *Collector::rejected(const FunctionDecl *F) {
  const Rejection *R = Rejected.lookup(F);
  if (!R)
    return nullptr;
  unsigned Line = R->Position.getLine();
  Report(SIS_AST_NOTE, {Ast.keep(R->Position.getFilename()), Line, R->Position.getColumn()},
         "function '" + writtenName(F) + "' is not instrumented: " + R->Text);
  return Ast.keep("is in a function that clang cannot parse: line " + std::to_string(Line) + ": " +
                  R->Text);
}

const char *Collector::functionObstacle(const FunctionDecl *F) const {
  if (FunctionClosed)
    return FunctionClosed;
  if (F->hasAttr<NoInstrumentFunctionAttr>())
    return "has attribute no_instrument_function";
  if (F->hasAttr<ConstructorAttr>())
    return "is a constructor, which may run before the runtime";
  return nullptr;
}

/// Adds the region CR_F and, for main, CR_P before it. Their probes stand behind the body's `{`.
void Collector::functionRegions(const FunctionDecl *F) {
  const CompoundStmt *Body = bodyBlock(F);
  EditPoint Brace = Map.after(Body->getLBracLoc());
  SourceLocation Begin = F->getBeginLoc(), End = Body->getRBracLoc();
  for (sis_region_type Type : {CR_P, CR_F}) {
    if (Type == CR_P && !F->isMain())
      continue;
    Region &R = add(Type, FunctionName);
    R.Public.name = FunctionName;
    R.How = Form::Body;
    R.First = Map.offset(Begin);
    R.Last = Map.endOffset(End);
    R.Public.begin = Map.position(Begin);
    R.Public.end = Map.position(End);
    // Since C++20 a probe can test whether the compiler evaluates the function. Conditions of
    // directives cannot be evaluated there.
    R.Evaluated = FunctionClosed == ConstexprFunction && Context.getLangOpts().CPlusPlus20 &&
                  OutsideConditions.empty();
    R.Public.obstacle = firstOf(R.Evaluated ? nullptr : functionObstacle(F), Brace.Why);
    if (!R.Public.obstacle)
      R.Begin.Offset = afterBrace(Brace.Offset);
  }
}

/// Discards the data about the previous function.
void Collector::resetFunction() {
  Ast.DeclPoints.push_back(0);
  Ast.Functions.emplace_back().Public.name = "";
  Model = FunctionModel();
  Labels.clear();
  Cases.clear();
  Gotos.clear();
  Addressed.clear();
  Once.clear();
}

/// Collects the regions in a reduction that is declared outside of functions.
void Collector::reductionOutside(const OMPDeclareReductionDecl *D) {
  resetFunction();
  FunctionName = "";
  FunctionClosed = nullptr;
  Current = nullptr;
  FunctionFile =
      Map.holds(D->getLocation()) ? Map.file(Map.offset(D->getLocation())) : Region::NoFile;
  declaredReduction(D, Constraints());
  ++FunctionNumber;
}

void Collector::parameters(const FunctionDecl *F, unsigned BodyFirst, unsigned BodyLast) {
  Constraints AtParameters;
  AtParameters.Closed = "in a parameter of a function";
  for (const ParmVarDecl *Parameter : F->parameters()) {
    typeSizes(Parameter->getTypeSourceInfo(), AtParameters);
    Model.Names.push_back({BodyFirst, Slot::NoList, Parameter->getIdentifier(), BodyLast});
  }
}

/// Collects the regions in the body, which is in the flat text. Jumps and statements come first:
/// the later steps need the complete model. FirstRegion: number of the function's first region.
void Collector::functionBody(const FunctionDecl *F, size_t FirstRegion) {
  const CompoundStmt *Body = bodyBlock(F);
  unsigned BodyFirst = Map.offset(Body->getLBracLoc()),
           BodyLast = Map.endOffset(F->getBody()->getEndLoc());
  parameters(F, BodyFirst, BodyLast);
  compound(Body, Constraints(), false);
  if (const auto *Try = dyn_cast<CXXTryStmt>(F->getBody()))
    handlers(Try, Constraints());
  finishJumps();
  Model.finish();
  dropUnfitSetjmpCalls();
  for (size_t I = FirstRegion; I < Ast.Regions.size(); ++I)
    countEntriesAndExits(Ast.Regions[I]);
  namedRegions(BodyFirst, BodyLast);
  flagRegions(FirstRegion);
  conditions(BodyFirst, BodyLast);
}

/// Whether the function may be a phase of the program, and only seems to be short because it calls
/// functions that are defined elsewhere. A function of a header, or a function that is called in
/// loops, probably only accesses an object. But in the file of main, a loop may be around a phase.
bool Collector::mayBePhase(const FunctionDecl *F) {
  return Costs.callsUnseen(F) && !isLambda(F) &&
         Context.getSourceManager().isInMainFile(F->getBeginLoc()) &&
         (Frequency.hasMain() || !Frequency.inLoops(F));
}

/// Fills in CR_P and CR_F, the first regions of the function, with what is known about the whole
/// function.
void Collector::describeFunction(const FunctionDecl *F, size_t FirstRegion) {
  const CompoundStmt *Body = bodyBlock(F);
  bool EndsWithReturn = !Body->body_empty() && isa<ReturnStmt>(Body->body_back());
  for (size_t I = FirstRegion; I < Ast.Regions.size(); ++I) {
    struct sis_ast_region &R = Ast.Regions[I].Public;
    if (Ast.Regions[I].How != Form::Body || (R.type != CR_F && R.type != CR_P))
      break;
    R.cost = mayBePhase(F) ? UINT32_MAX : Costs.function(F);
    R.always_inline = F->hasAttr<AlwaysInlineAttr>();
    if (std::string Symbol = mangledName(F); !Symbol.empty()) {
      R.symbol = Ast.keep(Symbol);
      R.signature = Ast.keep(llvm::demangle(Symbol));
    }
    R.is_template = R.type == CR_F && F->isTemplated() && !Ast.Regions[I].Evaluated;
    // A function of a header must have the same probes in all files, so its callers in this file
    // do not count.
    bool OfHeader = Context.getLangOpts().CPlusPlus &&
                    !Context.getSourceManager().isInMainFile(F->getBeginLoc());
    R.called_in_loops = (Frequency.inLoops(F) || OfHeader) && !Costs.callsUnseen(F);
    R.exits -= EndsWithReturn; // control does not reach the end of the body
  }
  Ast.OtherRegisters |= F->hasAttr<TargetAttr>() || F->hasAttr<TargetClonesAttr>();
}

void Collector::function(const FunctionDecl *F) {
  bool LaidOut = Map.holds(bodyBlock(F)->getBeginLoc());
  resetFunction();
  Costs.function(F); // before its parts, because their cost depends on the loops around them
  FunctionName = Ast.keep(writtenName(F));
  FunctionClosed = firstOf(rejected(F), closedFunction(F));
  Current = F;
  FunctionFile = LaidOut ? Map.file(Map.offset(F->getBeginLoc())) : Region::NoFile;
  Ast.Functions.back().Public.name = FunctionName;
  size_t First = Ast.Regions.size();
  functionRegions(F);
  if (LaidOut) {
    Ast.Functions.back().First = Map.offset(F->getBeginLoc());
    Ast.Functions.back().Last = Map.endOffset(F->getBody()->getEndLoc());
    functionBody(F, First);
  }
  describeFunction(F, First);
  ++FunctionNumber;
}

/// Each call of setjmp needs a variable of the function. Calls inside a barrier (function_model.h)
/// are dropped: if the compiler makes a function or a task from the construct, several threads
/// would share the variable. All calls are dropped if no variable can be declared.
void Collector::dropUnfitSetjmpCalls() {
  auto OfOther = [&](const SetjmpCall &T) { return T.Function != FunctionNumber; };
  auto First = std::find_if(Ast.SetjmpCalls.rbegin(), Ast.SetjmpCalls.rend(), OfOther).base();
  auto Unfit = [&](const SetjmpCall &T) {
    return !Ast.DeclPoints.back() || Model.barrierBetween(Ast.DeclPoints.back(), T.Begin);
  };
  Ast.SetjmpCalls.erase(std::remove_if(First, Ast.SetjmpCalls.end(), Unfit), Ast.SetjmpCalls.end());
}

/// Counts entries and exits, once all jumps of the function are known.
void Collector::countEntriesAndExits(Region &R) {
  R.Public.entries = Model.entries(R.First, R.Last);
  R.Public.exits = Model.exits(R.First, R.Last);
  if (!R.Public.obstacle && (R.How == Form::Body || R.How == Form::Wrap) &&
      Model.jumpsAcross(R.First, R.Last))
    R.How = Form::Flag;
}

Region &Collector::add(sis_region_type Type, const char *BareName) {
  Region &R = Ast.Regions.emplace_back();
  R.Public.type = Type;
  R.Public.function = FunctionName;
  R.Public.callee = R.Public.name = "";
  R.Public.parent = R.Public.directive = SIS_AST_NONE;
  R.Public.entries = R.Public.exits = 1;
  R.Public.cost = UINT32_MAX;
  R.Function = FunctionNumber;
  R.File = FunctionFile;
  R.BareName = BareName;
  return R;
}

Region &Collector::wrapped(const Stmt *S, sis_region_type Type, const Constraints &In) {
  StatementExtent Extent = Map.statement(S);
  Region &R = add(Type, sis_region_table[Type].label);
  R.How = Form::Wrap;
  R.First = Extent.First;
  R.Last = Extent.Last;
  R.Begin = Extent.Begin;
  R.End = Extent.End;
  R.Public.begin = Map.position(R.First);
  R.Public.end = Map.position(R.Last - 1);
  R.Public.obstacle = firstOf(firstOf(FunctionClosed, In.Closed), firstOf(In.Locked, Extent.Why));
  return R;
}

/// The first offset in a block where text may be inserted: declarations of local labels must come
/// first. Offset is behind the `{`.
unsigned Collector::afterBrace(unsigned Offset) const {
  const std::vector<FlatToken> &Tokens = Map.tokens();
  for (size_t I = Map.tokenFrom(Offset); I < Tokens.size() && Tokens[I].Kind == tok::kw___label__;
       ++I) {
    while (I < Tokens.size() && Tokens[I].Kind != tok::semi)
      ++I;
    Offset = I < Tokens.size() ? Tokens[I].Last : Offset;
  }
  return Offset;
}

void Collector::addJump(SourceLocation From, unsigned To, bool NoCleanup, TargetSlot Target) {
  unsigned At = Map.offset(From);
  Model.Jumps.push_back({At, To, Map.line(At), NoCleanup, Target});
}

void Collector::finishJumps() {
  auto Add = [&](const Goto &G, const LabelDecl *To) {
    Label L = Labels.lookup(To);
    addJump(G.From, L.At, G.NoCleanup, {L.Slot, JumpTarget::Before});
  };
  for (const Goto &G : Gotos) {
    if (G.To)
      Add(G, G.To);
    else
      for (const LabelDecl *To : Addressed)
        Add(G, To);
  }
}

void Collector::slot(const Stmt *S, Constraints In, unsigned ListNumber, unsigned Index) {
  StatementExtent Extent = Map.statement(S);
  Point Target = Extent.Begin;
  if (isa<NullStmt>(S) && Ast.Text[Extent.First] == ':') // a label at the end of a block
    Target.Offset = Extent.Last;
  Model.Slots.push_back({Extent.First, Extent.Last, ListNumber, Index,
                         firstOf(In.Closed, In.Locked), Extent.Begin, Extent.End, Extent.Why,
                         Target, nullptr});
  size_t Number = Ast.Regions.size();
  statement(S, In);
  // If the statement is a region, that region was added first.
  if (Number < Ast.Regions.size() && Ast.Regions[Number].First == Extent.First)
    Ast.Regions[Number].Public.cost = Costs.statement(S);
}

/// The numbers of the directives that begin in [First, Last), as a half-open range.
std::pair<uint32_t, uint32_t> Collector::directivesIn(unsigned First, unsigned Last) const {
  auto Number = [&](unsigned Offset) {
    auto Before = [](const Directive &D, unsigned Offset) { return D.First < Offset; };
    return std::lower_bound(Ast.Directives.begin(), Ast.Directives.end(), Offset, Before) -
           Ast.Directives.begin();
  };
  return {Number(First), Number(Last)};
}

/// Collects the statement behind a label. The statement gets a slot with the list and index of the
/// label's slot, which is the last slot.
void Collector::labelledAt(SourceLocation Colon, const Stmt *S, const Constraints &In) {
  unsigned Number = Model.Slots.size();
  Model.Slots.back().IsLabel = true;
  Slot Label = Model.Slots.back();
  slot(S, In, Label.List, Label.Index);
  Slot &Own = Model.Slots[Number];
  // A jump to the label passes these directives before it reaches the statement.
  auto [Begin, End] = directivesIn(Map.endOffset(Colon), Own.Begin.Offset);
  while (Begin < End && Ast.Directives[Begin].FromMacro)
    ++Begin;
  if (Begin < End) {
    Own.Behind = true;
    Own.Target = {Ast.Directives[Begin].First, false, {}};
    Own.TargetWhy = Label.List == Slot::NoList
                        ? "a directive stands between a label and its statement"
                        : nullptr;
  }
}

/// Adds the region of a block. The probe stands behind the `{` of the block.
void Collector::blockRegion(const CompoundStmt *S, const Constraints &In) {
  EditPoint Brace = Map.after(S->getLBracLoc());
  Region &R = wrapped(S, CR_BLOCK, In);
  R.How = Form::Body;
  const char *Around = firstOf(FunctionClosed, In.Closed);
  R.Public.obstacle = firstOf(Around, firstOf(In.ListLocked, Brace.Why));
  if (!R.Public.obstacle)
    R.Begin = {afterBrace(Brace.Offset), false, {}};
}

void Collector::compound(const CompoundStmt *S, Constraints In, bool IsRegion) {
  unsigned Number = Model.Lists.size();
  if (IsRegion)
    blockRegion(S, In);
  EditPoint Behind = Map.after(S->getLBracLoc());
  Model.Lists.push_back({Map.endOffset(S->getLBracLoc()), Map.offset(S->getRBracLoc()),
                         firstOf(In.Closed, In.ListLocked),
                         Behind.Why ? 0 : afterBrace(Behind.Offset)});
  if (Number == 0)
    Ast.DeclPoints.back() = FunctionClosed ? 0 : Model.Lists[0].DeclPoint;
  Constraints Inside = In;
  Inside.List = Number;
  Inside.Locked = In.ListLocked;
  Inside.ListLocked = nullptr;
  unsigned Index = 0;
  for (const Stmt *Child : S->body()) {
    Inside.LastIsValue = In.LastIsValue && Child == S->body_back();
    slot(Child, Inside, Number, Index++);
  }
}

/// The first statement of a switch, for which the compiler may warn that it is never executed; NULL
/// if there is none, or it has a label.
static const Stmt *firstStatement(const Stmt *S, bool &Labelled) {
  Labelled |= isa<LabelStmt>(S) || isa<SwitchCase>(S);
  if (Labelled || isa<NullStmt>(S))
    return nullptr;
  if (const auto *Declaration = dyn_cast<DeclStmt>(S)) {
    auto Has = [](const Decl *D) { return isa<VarDecl>(D) && cast<VarDecl>(D)->getInit(); };
    return std::any_of(Declaration->decl_begin(), Declaration->decl_end(), Has) ? S : nullptr;
  }
  const auto *Block = dyn_cast<CompoundStmt>(S);
  if (!Block)
    return S;
  for (const Stmt *Child : Block->body())
    if (const Stmt *Found = firstStatement(Child, Labelled); Found || Labelled)
      return Found;
  return nullptr;
}

void Collector::switchBody(const Stmt *S, const Constraints &In) {
  bool Labelled = false;
  const Stmt *First = firstStatement(S, Labelled);
  size_t Region = Ast.Regions.size(), Block = Model.Lists.size(), Own = Model.Slots.size();
  body(S, In);
  if (!First || !Ast.ForGCC) // clang does not warn about such statements
    return;
  if (Region < Ast.Regions.size() && Ast.Regions[Region].First == Model.Slots[Own].First)
    Ast.Regions[Region].Unreached = true;
  if (isa<CompoundStmt>(S) && Model.Lists[Block].DeclPoint && !Model.Lists[Block].Locked)
    Ast.UnreachedStarts.push_back({Model.Lists[Block].DeclPoint, Map.statement(First).Last});
}

/// Adds the region of an if or switch. Then resets in In what the statements around the if or
/// switch forbid.
void Collector::branchRegion(const Stmt *S, sis_region_type Type, const Expr *Condition,
                             Constraints &In) {
  Region &R = wrapped(S, Type, In);
  R.Public.obstacle = firstOf(R.Public.obstacle, reentered(tiesOf(Condition)));
  In.Locked = In.ListLocked = nullptr;
  In.LastIsValue = false;
  In.OmpLoops = 0;
}

void Collector::ifStatement(const IfStmt *If, Constraints In) {
  size_t Number = Ast.Regions.size();
  branchRegion(If, CR_IF, If->getCond(), In);
  unsigned End = Ast.Regions[Number].Last;
  headerPart(If->getInit(), In, End);
  if (!If->isConstexpr())
    condition(If->getConditionVariableDeclStmt(), If->getCond(), In, End);
  unsigned Then = Model.Slots.size();
  body(If->getThen(), In);
  if (!If->getElse())
    return;
  Model.ElseOf[Then] = Model.Slots.size();
  body(If->getElse(), In);
}

void Collector::switchStatement(const SwitchStmt *Switch, Constraints In) {
  size_t Number = Ast.Regions.size();
  unsigned Own = Model.Slots.size() - 1;
  branchRegion(Switch, CR_SWITCH, Switch->getCond(), In);
  unsigned First = Ast.Regions[Number].First, End = Ast.Regions[Number].Last;
  headerPart(Switch->getInit(), In, End);
  condition(Switch->getConditionVariableDeclStmt(), Switch->getCond(), In, End);
  In.Break = First;
  In.BreakTarget = {Own, JumpTarget::After};
  switchBody(Switch->getBody(), In);
  for (const SwitchCase *Case = Switch->getSwitchCaseList(); Case;
       Case = Case->getNextSwitchCase()) {
    unsigned At = Map.offset(Case->getKeywordLoc());
    Model.Jumps.push_back(
        {First, At, Map.line(At), false, {Cases.lookup(Case), JumpTarget::Before}});
  }
}

void Collector::jump(const Stmt *S, const Constraints &In) {
  if (const auto *Return = dyn_cast<ReturnStmt>(S)) {
    addJump(S->getBeginLoc(), Jump::ToNowhere);
    if (Return->getRetValue())
      expression(Return->getRetValue(), In, true);
  } else if (const auto *To = dyn_cast<GotoStmt>(S)) {
    Gotos.push_back({S->getBeginLoc(), To->getLabel(), false});
  } else if (const auto *Computed = dyn_cast<IndirectGotoStmt>(S)) {
    Gotos.push_back({S->getBeginLoc(), nullptr, true});
    expression(Computed->getTarget(), In, true);
  } else if (isa<BreakStmt, ContinueStmt>(S)) {
    bool Break = isa<BreakStmt>(S);
    addJump(S->getBeginLoc(), Break ? In.Break : In.Continue, false,
            Break ? In.BreakTarget : In.ContinueTarget);
  }
}

void Collector::assembly(const GCCAsmStmt *S, const Constraints &In) {
  for (const AddrLabelExpr *Label : S->labels())
    Gotos.push_back({S->getBeginLoc(), Label->getLabel(), true});
  for (const Expr *Output : S->outputs())
    expression(Output, In, true);
  for (const Expr *Input : S->inputs())
    expression(Input, In, true);
}

/// Collects the blocks of `try` and its handlers. Each of them stays the block that it is.
void Collector::tryStatement(const CXXTryStmt *S, Constraints In) {
  In.Locked = In.ListLocked = nullptr;
  In.LastIsValue = false;
  In.OmpLoops = 0;
  compound(S->getTryBlock(), In, true);
  handlers(S, In);
}

void Collector::handlers(const CXXTryStmt *S, const Constraints &In) {
  for (unsigned I = 0; I < S->getNumHandlers(); ++I)
    if (const auto *Block = dyn_cast<CompoundStmt>(S->getHandler(I)->getHandlerBlock()))
      compound(Block, In, true);
}

/// Collects the addresses of labels in a static initializer, which has no calls.
void Collector::tableOfLabels(const Stmt *S) {
  if (!S)
    return;
  if (const auto *Label = dyn_cast<AddrLabelExpr>(S))
    Addressed.push_back(Label->getLabel());
  for (const Stmt *Child : S->children())
    tableOfLabels(Child);
}

/// The type that D spells, if D declares an object or a typedef; else NULL.
static const TypeSourceInfo *spelledType(const Decl *D) {
  if (isa<FunctionDecl>(D))
    return nullptr;
  if (const auto *Declarator = dyn_cast<DeclaratorDecl>(D))
    return Declarator->getTypeSourceInfo();
  const auto *Typedef = dyn_cast<TypedefNameDecl>(D);
  return Typedef ? Typedef->getTypeSourceInfo() : nullptr;
}

/// Adds the names that D, a part of the declaration at offset At, declares.
void Collector::declaredNames(const Decl *D, unsigned At, const Constraints &In) {
  unsigned Until = In.List == Slot::NoList ? In.ScopeEnd : Model.Lists[In.List].Last;
  if (const auto *Named = dyn_cast<NamedDecl>(D))
    Model.Names.push_back({At, In.List, Named->getIdentifier(), Until});
  if (const auto *Enum = dyn_cast<EnumDecl>(D))
    for (const EnumConstantDecl *Constant : Enum->enumerators())
      Model.Names.push_back({At, In.List, Constant->getIdentifier(), Until});
  if (const auto *Parts = dyn_cast<DecompositionDecl>(D))
    for (const BindingDecl *Part : Parts->bindings())
      Model.Names.push_back({At, In.List, Part->getIdentifier(), Until});
}

/// Whether something happens at the end of the variable's life, or a temporary object lives as long
/// as the variable.
static bool hasEnd(const VarDecl &Variable, const ASTContext &Context) {
  QualType Type = Variable.getType();
  return Type->isReferenceType() || Type->isDependentType() ||
         Variable.needsDestruction(Context) != QualType::DK_none;
}

void Collector::variable(const VarDecl &Variable, unsigned At, const Constraints &In) {
  if (!Variable.hasLocalStorage())
    return tableOfLabels(Variable.getInit());
  // The following objects must live until the end of the block, even after their last use by name.
  if (Variable.hasAttr<CleanupAttr>())
    Model.Objects.push_back({At, In.List, "a variable with a cleanup"});
  else if (Context.getLangOpts().CPlusPlus && hasEnd(Variable, Context))
    Model.Objects.push_back({At, In.List, "an object that ends with its block"});
  else if (Variable.getType()->isArrayType()) // a pointer to it may still be used
    Model.Objects.push_back({At, In.List, "an array"});
  expression(Variable.getInit(), In, true);
}

void Collector::declaration(const DeclStmt *S, const Constraints &In) {
  unsigned At = Map.offset(S->getBeginLoc());
  for (const Decl *D : S->decls()) {
    declaredNames(D, At, In);
    typeSizes(spelledType(D), In);
    if (const auto *Reduction = dyn_cast<OMPDeclareReductionDecl>(D))
      declaredReduction(Reduction, In);
    if (const auto *Variable = dyn_cast<VarDecl>(D))
      variable(*Variable, At, In);
  }
}

void Collector::expressionStatement(const Expr *S, const Constraints &In) {
  Region &R = wrapped(S, CR_STMT, In);
  BlockTies Found = tiesOf(S);
  const char *Why = In.LastIsValue  ? "is the value of a statement expression"
                    : Found.Literal ? "has a compound literal that must outlive it"
                                    : reentered(Found);
  R.Public.obstacle = firstOf(R.Public.obstacle, Why);
  WholeStatement = In.LastIsValue ? nullptr : S->IgnoreParenImpCasts();
  if (const auto *Full = dyn_cast<FullExpr>(S))
    WholeStatement = Full->getSubExpr()->IgnoreParenImpCasts();
  if (const auto *Bound = dyn_cast_or_null<CXXBindTemporaryExpr>(WholeStatement))
    WholeStatement = Bound->getSubExpr();
  expression(S, In, In.LastIsValue);
}

/// The type of a loop's region; CR_NONE if S is no loop.
static sis_region_type loopType(const Stmt *S) {
  return isa<ForStmt, CXXForRangeStmt>(S) ? CR_FOR
         : isa<WhileStmt>(S)              ? CR_WHILE
         : isa<DoStmt>(S)                 ? CR_DO
                                          : CR_NONE;
}

void Collector::statement(const Stmt *S, Constraints In) {
  if (const auto *Block = dyn_cast<CompoundStmt>(S)) {
    compound(Block, In, true);
  } else if (const auto *Label = dyn_cast<LabelStmt>(S)) {
    Labels[Label->getDecl()] = {Map.offset(Label->getIdentLoc()), unsigned(Model.Slots.size())};
    labelledAt(Label->getIdentLoc(), Label->getSubStmt(), In);
  } else if (const auto *Case = dyn_cast<SwitchCase>(S)) {
    Cases[Case] = Model.Slots.size();
    labelledAt(Case->getColonLoc(), Case->getSubStmt(), In);
  } else if (const auto *Attributed = dyn_cast<AttributedStmt>(S)) {
    statement(Attributed->getSubStmt(), In);
  } else if (sis_region_type Type = loopType(S)) {
    loop(S, Type, In);
  } else if (const auto *If = dyn_cast<IfStmt>(S)) {
    ifStatement(If, In);
  } else if (const auto *Switch = dyn_cast<SwitchStmt>(S)) {
    switchStatement(Switch, In);
  } else if (const auto *Try = dyn_cast<CXXTryStmt>(S)) {
    tryStatement(Try, In);
  } else if (const auto *Declaration = dyn_cast<DeclStmt>(S)) {
    declaration(Declaration, In);
  } else if (const auto *Assembly = dyn_cast<GCCAsmStmt>(S)) {
    assembly(Assembly, In);
  } else if (const auto *Directive = dyn_cast<OMPExecutableDirective>(S)) {
    directive(Directive, In);
  } else if (const auto *E = dyn_cast<Expr>(S)) {
    expressionStatement(E, In);
  } else if (!isa<NullStmt>(S)) {
    jump(S, In);
  }
}

} // namespace sis
