// SPDX-License-Identifier: BSD-3-Clause
// collect.cc - walks functions and statements; see collect.h. Runs once per translation unit, in
// the thread that calls sis_ast_open, while clang's AST exists. Its one idea: a construct passes
// what it forbids to the statements inside it (Constraints), so the obstacle of each region is
// known as soon as the walk reaches the region.
#include "clang/collect/collect.h"
#include "clang/collect/function_tokens.h"

#include "clang/AST/Attr.h"

#include <algorithm>

using namespace clang;

namespace sis {

/// The function that the declaration defines; NULL if it defines none.
static const FunctionDecl *definition(const Decl *D) {
  const auto *F = dyn_cast<FunctionDecl>(D);
  return F && F->isThisDeclarationADefinition() && isa_and_nonnull<CompoundStmt>(F->getBody())
             ? F
             : nullptr;
}

/// Finds directives with a condition outside of functions. They apply to all functions.
void Collector::findOutsideConditions() {
  std::vector<bool> Inside(Ast.Directives.size());
  for (const Decl *D : Context.getTranslationUnitDecl()->decls())
    if (const FunctionDecl *F = definition(D)) {
      auto [First, Last] = directivesIn(Map.offset(F->getBody()->getBeginLoc()),
                                        Map.endOffset(F->getBody()->getEndLoc()));
      std::fill(Inside.begin() + First, Inside.begin() + std::max(First, Last), true);
    }
  for (uint32_t I = 0; I < Ast.Directives.size(); ++I)
    if (const Directive &D = Ast.Directives[I];
        D.Public.kind == SIS_AST_CR_GLOBAL && *D.Public.condition && !Inside[I])
      OutsideConditions.push_back(I);
}

void Collector::run() {
  const TranslationUnitDecl *Unit = Context.getTranslationUnitDecl();
  findOutsideConditions();
  for (const Decl *D : Unit->decls())
    if (const auto *Attribute = D->getAttr<IFuncAttr>())
      Resolvers.insert(Attribute->getResolver());
  for (const Decl *D : Unit->decls())
    if (Context.getSourceManager().isInSystemHeader(D->getLocation()))
      continue;
    else if (const auto *Reduction = dyn_cast<OMPDeclareReductionDecl>(D))
      reductionOutside(Reduction);
    else if (const FunctionDecl *F = definition(D))
      function(F);
  summarizeFunctions(Ast, Map);
}

/// Why no probe may be in a function; NULL if probes may be in it.
static const char *closedFunction(const FunctionDecl *F, const llvm::StringSet<> &Resolvers,
                                  const DeviceFunctions &Devices) {
  if (F->hasAttr<NakedAttr>())
    return "is in a naked function";
  if (Resolvers.count(F->getName()))
    return "is in the resolver of an ifunc, which runs before relocation";
  if (Devices.count(F->getCanonicalDecl()))
    return "is in a function that may run on a device";
  return nullptr;
}

/// Why no probe may be in the function, if clang cannot parse it; NULL if clang can. The walk still
/// visits the part that clang parsed.
const char *Collector::rejected(const FunctionDecl *F) {
  const Rejection *R = Rejected.lookup(F);
  if (!R)
    return nullptr;
  unsigned Line = R->Position.getLine();
  Report(SIS_AST_NOTE, {Ast.keep(R->Position.getFilename()), Line, R->Position.getColumn()},
         "function '" + F->getName().str() + "' is not instrumented: " + R->Text);
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
  const auto *Body = cast<CompoundStmt>(F->getBody());
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
    R.Public.obstacle = firstOf(functionObstacle(F), Brace.Why);
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
  const auto *Body = cast<CompoundStmt>(F->getBody());
  unsigned BodyFirst = Map.offset(Body->getLBracLoc()),
           BodyLast = Map.endOffset(Body->getRBracLoc());
  parameters(F, BodyFirst, BodyLast);
  compound(Body, Constraints(), false);
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
  return Costs.callsUnseen(F) && Context.getSourceManager().isInMainFile(F->getBeginLoc()) &&
         (Frequency.hasMain() || !Frequency.inLoops(F));
}

/// Fills in CR_P and CR_F, the first regions of the function, with what is known about the whole
/// function.
void Collector::describeFunction(const FunctionDecl *F, size_t FirstRegion) {
  const auto *Body = cast<CompoundStmt>(F->getBody());
  bool EndsWithReturn = !Body->body_empty() && isa<ReturnStmt>(Body->body_back());
  for (size_t I = FirstRegion; I < Ast.Regions.size(); ++I) {
    struct sis_ast_region &R = Ast.Regions[I].Public;
    if (Ast.Regions[I].How != Form::Body || (R.type != CR_F && R.type != CR_P))
      break;
    R.cost = mayBePhase(F) ? UINT32_MAX : Costs.function(F);
    R.always_inline = F->hasAttr<AlwaysInlineAttr>();
    R.called_in_loops = Frequency.inLoops(F) && !Costs.callsUnseen(F);
    R.exits -= EndsWithReturn; // control does not reach the end of the body
  }
  Ast.OtherRegisters |= F->hasAttr<TargetAttr>() || F->hasAttr<TargetClonesAttr>();
}

void Collector::function(const FunctionDecl *F) {
  bool LaidOut = Map.holds(F->getBody()->getBeginLoc());
  resetFunction();
  Costs.function(F); // before its parts, because their cost depends on the loops around them
  FunctionName = Ast.keep(F->getName().str());
  FunctionClosed = firstOf(rejected(F), closedFunction(F, Resolvers, Devices));
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

/// Finds the target of `continue`: the expression that is evaluated after it.
void Collector::loopHeader(const Stmt *S, unsigned SlotNumber) {
  const Expr *Next = nullptr;
  SourceLocation Where;
  if (const auto *For = dyn_cast<ForStmt>(S)) {
    Next = For->getInc();
    Where = For->getRParenLoc();
  } else if (const auto *While = dyn_cast<WhileStmt>(S)) {
    Next = While->getCond();
  } else {
    Next = cast<DoStmt>(S)->getCond();
  }
  EditPoint Extent = Map.before(Next ? Next->getBeginLoc() : Where);
  Slot &Own = Model.Slots[SlotNumber];
  Own.Header.Offset = Extent.Offset;
  Own.HeaderWhy = Extent.Why;
  Own.EmptyHeader = !Next;
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

/// Adds the region of a loop. The loop around this loop, if there is one, is then no innermost
/// loop.
void Collector::loopRegion(const Stmt *S, sis_region_type Type, const Constraints &In) {
  Region &R = wrapped(S, Type, In);
  R.Public.inner_loop = true;
  R.Public.outer_loop = In.Loop == SIZE_MAX;
  if (!R.Public.obstacle && runsOnce(S))
    R.Public.obstacle = "is no loop: its condition is never true";
  if (In.Loop != SIZE_MAX)
    Ast.Regions[In.Loop].Public.inner_loop = false;
}

/// The constraints on the header and the body of the loop with region Number and slot Own.
Constraints Collector::insideLoop(Constraints In, size_t Number, unsigned Own) const {
  In.Break = In.Continue = Ast.Regions[Number].First;
  In.BreakTarget = {Own, JumpTarget::After};
  In.ContinueTarget = {Own, JumpTarget::Header};
  In.Loop = Number;
  In.Locked = In.ListLocked = nullptr;
  In.LastIsValue = false;
  return In;
}

/// Collects the calls in the three expressions of a `for`. Variables of the first expression live
/// until the loop ends.
void Collector::forHeader(const ForStmt *For, const Constraints &Header, unsigned LoopEnd) {
  if (const auto *Init = dyn_cast_or_null<DeclStmt>(For->getInit())) {
    Constraints InHeader = Header;
    InHeader.List = Slot::NoList;
    InHeader.ScopeEnd = LoopEnd;
    declaration(Init, InHeader);
  } else {
    expression(For->getInit(), Header, false);
  }
  expression(For->getCond(), Header, true);
  expression(For->getInc(), Header, false);
}

void Collector::loop(const Stmt *S, sis_region_type Type, const Constraints &Outside) {
  size_t Number = Ast.Regions.size();
  unsigned Own = Model.Slots.size() - 1;
  loopHeader(S, Own);
  loopRegion(S, Type, Outside);
  Constraints In = insideLoop(Outside, Number, Own), Header = In;
  if (In.OmpLoops) {
    // No text may be inserted in the header, or between this loop and the directive's next loop.
    Header.Closed =
        firstOf(Header.Closed, "in the header of a loop that belongs to a directive of OpenMP");
    if (--In.OmpLoops)
      In.Locked = In.ListLocked = "stands between loops that belong to a directive of OpenMP";
    else
      In.ListLocked = In.OmpBody;
  }
  if (const auto *For = dyn_cast<ForStmt>(S)) {
    forHeader(For, Header, Ast.Regions[Number].Last);
    body(For->getBody(), In);
  } else if (const auto *While = dyn_cast<WhileStmt>(S)) {
    expression(While->getCond(), Header, true);
    body(While->getBody(), In);
  } else {
    expression(cast<DoStmt>(S)->getCond(), Header, true);
    body(cast<DoStmt>(S)->getBody(), In);
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
  branchRegion(If, CR_IF, If->getCond(), In);
  expression(If->getCond(), In, true);
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
  unsigned First = Ast.Regions[Number].First;
  expression(Switch->getCond(), In, true);
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
  } else {
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
}

void Collector::variable(const VarDecl &Variable, unsigned At, const Constraints &In) {
  if (!Variable.hasLocalStorage())
    return tableOfLabels(Variable.getInit());
  // The following objects must live until the end of the block, even after their last use by name.
  if (Variable.hasAttr<CleanupAttr>())
    Model.Objects.push_back({At, In.List, "a variable with a cleanup"});
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
  expression(S, In, In.LastIsValue);
}

/// The type of a loop's region; CR_NONE if S is no loop.
static sis_region_type loopType(const Stmt *S) {
  return isa<ForStmt>(S) ? CR_FOR : isa<WhileStmt>(S) ? CR_WHILE : isa<DoStmt>(S) ? CR_DO : CR_NONE;
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
