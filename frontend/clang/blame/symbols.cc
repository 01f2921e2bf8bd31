// SPDX-License-Identifier: BSD-3-Clause
// symbols.cc - see symbols.h. Runs in the thread that calls sis_ast_open. Its one idea: a type has
// its number before its parts are read, so that a structure may point to itself.
#include "clang/blame/symbols.h"

#include "blame.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"

using namespace llvm;

namespace sis {

static bool isQualifier(unsigned Tag) {
  return Tag == dwarf::DW_TAG_const_type || Tag == dwarf::DW_TAG_volatile_type ||
         Tag == dwarf::DW_TAG_restrict_type || Tag == dwarf::DW_TAG_atomic_type ||
         Tag == dwarf::DW_TAG_member;
}

bool isReference(const DIType *Type) {
  return Type->getTag() == dwarf::DW_TAG_reference_type ||
         Type->getTag() == dwarf::DW_TAG_rvalue_reference_type;
}

/// A reference counts as a pointer. A construct of OpenMP has a reference to each shared variable.
static bool isPointer(const DIType *Type) {
  return Type->getTag() == dwarf::DW_TAG_pointer_type || isReference(Type);
}

/// The type without qualifiers, and without a typedef that only names a structure, or that is a
/// library's own name for another typedef.
static const DIType *plain(const DIType *Type) {
  while (const auto *D = dyn_cast_or_null<DIDerivedType>(Type)) {
    const DIType *Base = D->getBaseType();
    bool OfLibrary = D->getName().starts_with("__") && isa_and_nonnull<DIDerivedType>(Base);
    bool Structure = D->getTag() == dwarf::DW_TAG_typedef &&
                     (OfLibrary ||
                      (isa_and_nonnull<DICompositeType>(Base) && !Base->getName().empty()));
    if (!isQualifier(D->getTag()) && !Structure)
      return Type;
    Type = Base;
  }
  return Type;
}

/// The namespaces and classes around a name, each with `::`.
std::string Symbols::scopeOf(const DIScope *Around) {
  if (const auto *Class = dyn_cast_or_null<DIType>(Around))
    return nameOf(Class) + "::";
  const auto *Space = dyn_cast_or_null<DINamespace>(Around);
  if (!Space)
    return "";
  std::string Name = Space->getName().empty() ? "(anonymous)" : Space->getName().str();
  return scopeOf(Space->getScope()) + (Space->getExportSymbols() ? "" : Name + "::");
}

/// The name of a class: std::vector<double>, without the arguments that are defaults.
std::string Symbols::nameOfClass(const DICompositeType *Type, unsigned Depth) {
  StringRef Name = Type->getName();
  if (Name.empty())
    return Type->getTag() == dwarf::DW_TAG_class_type ? "(lambda)" : "{...}";
  std::string Text = scopeOf(Type->getScope()) + Name.split('<').first.str();
  if (!Name.contains('<'))
    return Text;
  const char *Before = "<";
  for (const DINode *Node : Type->getTemplateParams()) {
    const auto *Argument = dyn_cast<DITemplateParameter>(Node);
    if (!Argument || Argument->isDefault())
      continue;
    const auto *Value = dyn_cast<DITemplateValueParameter>(Argument);
    const auto *Number = Value ? mdconst::dyn_extract_or_null<ConstantInt>(Value->getValue())
                               : nullptr;
    if (Value && !Number)
      return scopeOf(Type->getScope()) + Name.str();
    Text += Before + (Number ? std::to_string(Number->getSExtValue())
                             : nameOf(Argument->getType(), Depth + 1));
    Before = ", ";
  }
  Text += *Before == '<' ? "<>" : ">";
  return Text == "std::basic_string<char>" ? "std::string" : Text;
}

/// The name of the type, as a programmer writes it.
std::string Symbols::nameOf(const DIType *Type, unsigned Depth) {
  constexpr unsigned Deepest = 20;
  Type = plain(Type);
  if (!Type || Depth > Deepest)
    return "void";
  std::string Name = Type->getName().str();
  unsigned Tag = Type->getTag();
  if (isPointer(Type)) {
    std::string To = nameOf(cast<DIDerivedType>(Type)->getBaseType(), Depth + 1);
    return To + (To.back() == '*' ? "" : " ") + (isReference(Type) ? "&" : "*");
  }
  if (const auto *Class = dyn_cast<DICompositeType>(Type);
      Class && Cplusplus && Tag != dwarf::DW_TAG_array_type)
    return nameOfClass(Class, Depth);
  if (Tag == dwarf::DW_TAG_structure_type)
    return "struct " + (Name.empty() ? "{...}" : Name);
  if (Tag == dwarf::DW_TAG_union_type)
    return "union " + (Name.empty() ? "{...}" : Name);
  if (Tag == dwarf::DW_TAG_enumeration_type)
    return "enum " + (Name.empty() ? "{...}" : Name);
  if (Tag == dwarf::DW_TAG_array_type)
    return nameOf(cast<DICompositeType>(Type)->getBaseType(), Depth + 1) + "[]";
  if (isa<DISubroutineType>(Type)) {
    DITypeRefArray Parts = cast<DISubroutineType>(Type)->getTypeArray();
    return (Parts.size() ? nameOf(Parts[0], Depth + 1) : "void") + " ()";
  }
  return Name.empty() ? "?" : Name;
}

/// The typedef that a typedef refers to; null if it refers to another type.
static const DIType *namedTypedef(const DIType *Type) {
  if (Type->getTag() != dwarf::DW_TAG_typedef)
    return nullptr;
  const DIType *Base = plain(cast<DIDerivedType>(Type)->getBaseType());
  return Base && Base->getTag() == dwarf::DW_TAG_typedef ? Base : nullptr;
}

/// The part of an array from Dimension on. This part is a type of its own here, but debug
/// information has all dimensions in one type.
uint32_t Symbols::arrayOf(const DICompositeType *Type, unsigned Dimension) {
  DINodeArray Dimensions = Type->getElements();
  if (Dimension == Dimensions.size())
    return type(Type->getBaseType());
  size_t Number = Unit.Types.size();
  Unit.Types.push_back({SIS_BLAME_ARRAY, Unit.string(nameOf(Type)), 0, 0, 0, {}});
  uint32_t Element = arrayOf(Type, Dimension + 1);
  const auto *Range = dyn_cast_or_null<DISubrange>(Dimensions[Dimension]);
  auto *Known = Range ? dyn_cast_if_present<ConstantInt *>(Range->getCount()) : nullptr;
  uint64_t Count = Known && Known->getSExtValue() > 0 ? Known->getZExtValue() : 0; // 0: unknown
  BlameType &T = Unit.Types[Number];
  T.Element = Element;
  T.Count = Count;
  T.Size = Element ? Unit.Types[Element - 1].Size * Count : 0;
  return Number + 1;
}

/// The name of a member, if the user knows it. Base classes have no name, and the pointer to the
/// virtual functions has none. The members of classes of the library, such as std::vector, count as
/// the object itself, unless they are a part of its interface (std::pair::first).
static StringRef nameOfMember(const DIDerivedType *Member) {
  StringRef Name = Member->getName();
  const DIScope *Space = Member->getScope();
  while (isa_and_nonnull<DIType>(Space))
    Space = Space->getScope();
  for (; isa_and_nonnull<DINamespace>(Space) && isa_and_nonnull<DINamespace>(Space->getScope());)
    Space = Space->getScope();
  bool OfLibrary = isa_and_nonnull<DINamespace>(Space) &&
                   (Space->getName() == "std" || Space->getName() == "__gnu_cxx");
  bool Hidden = Member->isArtificial() || Member->getTag() == dwarf::DW_TAG_inheritance ||
                (OfLibrary && Name.starts_with("_"));
  return Hidden ? "" : Name;
}

/// Whether a class has no members, also none of its base classes.
static bool isEmpty(const DIType *Type) {
  const auto *Class = dyn_cast_or_null<DICompositeType>(plain(Type));
  return Class && all_of(Class->getElements(), [](const DINode *Node) {
           const auto *Part = dyn_cast<DIDerivedType>(Node);
           if (Part && Part->getTag() == dwarf::DW_TAG_inheritance)
             return isEmpty(Part->getBaseType());
           return !Part || Part->getTag() != dwarf::DW_TAG_member || Part->isStaticMember();
         });
}

void Symbols::fillComposite(BlameType &To, const DICompositeType *Type) {
  To.Kind = Type->getTag() == dwarf::DW_TAG_union_type ? SIS_BLAME_UNION : SIS_BLAME_STRUCT;
  for (const DINode *Node : Type->getElements()) {
    const auto *Member = dyn_cast_or_null<DIDerivedType>(Node);
    bool Base = Member && Member->getTag() == dwarf::DW_TAG_inheritance && !Member->isVirtual();
    if (!Member || (Member->getTag() != dwarf::DW_TAG_member && !Base) ||
        Member->isStaticMember())
      continue;
    if (Base && isEmpty(Member->getBaseType()))
      continue;
    uint64_t First = Member->getOffsetInBits();
    uint64_t Bits = Base ? Member->getBaseType()->getSizeInBits() : Member->getSizeInBits();
    uint64_t End = (First + Bits + 7) / 8;
    uint32_t Of = type(Member->getBaseType());
    To.Fields.push_back(
        {Unit.string(nameOfMember(Member).str()), First / 8, End - First / 8, Of});
  }
  // The begin and end of the elements of a std::vector point to the same memory, so they count as
  // the elements of an array of pointers.
  uint32_t Empty = Unit.string("");
  const BlameField *First = To.Fields.size() > 1 ? &To.Fields[0] : nullptr;
  if (!First || !First->Type || Unit.Types[First->Type - 1].Kind != SIS_BLAME_POINTER ||
      any_of(To.Fields, [&](const BlameField &F) {
        return F.Name != Empty || F.Type != First->Type;
      }))
    return;
  To.Kind = SIS_BLAME_ARRAY;
  To.Element = First->Type;
  To.Count = To.Fields.size();
  To.Fields.clear();
}

void Symbols::fill(size_t Number, const DIType *Type) {
  BlameType To = {SIS_BLAME_OTHER_TYPE, Unit.string(nameOf(Type)), Type->getSizeInBits() / 8, 0,
                  0, {}};
  unsigned Tag = Type->getTag();
  const DIType *Under = Type;
  while (const auto *D = dyn_cast_or_null<DIDerivedType>(Under)) {
    if (D->getTag() != dwarf::DW_TAG_typedef && !isQualifier(D->getTag()))
      break;
    Under = D->getBaseType();
  }
  if (!Under) {
    To.Kind = SIS_BLAME_VOID;
  } else if (const auto *Basic = dyn_cast<DIBasicType>(Under)) {
    To.Kind = Basic->getEncoding() == dwarf::DW_ATE_float ? SIS_BLAME_REAL : SIS_BLAME_INTEGER;
    To.Element = To.Kind == SIS_BLAME_INTEGER ? type(namedTypedef(Type)) : 0;
  } else if (Under->getTag() == dwarf::DW_TAG_enumeration_type) {
    To.Kind = SIS_BLAME_INTEGER;
  } else if (isPointer(Under)) {
    To.Kind = SIS_BLAME_POINTER;
    To.Element = type(cast<DIDerivedType>(Under)->getBaseType());
    To.Count = isReference(Under);
  } else if (const auto *Routine = dyn_cast<DISubroutineType>(Under)) {
    To.Kind = SIS_BLAME_FUNCTION_TYPE;
    if (Routine->getTypeArray().size())
      To.Element = type(Routine->getTypeArray()[0]);
  } else if (const auto *Composite = dyn_cast<DICompositeType>(Under)) {
    if (Under->getTag() == dwarf::DW_TAG_array_type && Composite->getElements().size()) {
      uint32_t Array = arrayOf(Composite, 0);
      To.Kind = SIS_BLAME_ARRAY;
      To.Element = Unit.Types[Array - 1].Element;
      To.Count = Unit.Types[Array - 1].Count;
    } else {
      fillComposite(To, Composite);
    }
  }
  if (Under && !To.Size)
    To.Size = Under->getSizeInBits() / 8;
  if (Tag == dwarf::DW_TAG_typedef && To.Kind != SIS_BLAME_VOID)
    To.Name = Unit.string(Type->getName().str());
  Unit.Types[Number] = std::move(To);
}

uint32_t Symbols::type(const DIType *Type) {
  Type = plain(Type);
  if (!Type)
    return 0;
  auto [At, New] = Types.try_emplace(Type, Unit.Types.size() + 1);
  if (!New)
    return At->second;
  uint32_t Reference = At->second;
  Unit.Types.push_back({SIS_BLAME_OTHER_TYPE, 0, 0, 0, 0, {}});
  fill(Reference - 1, Type);
  return Reference;
}

/// The scope of a static member is its class, and not where it is defined.
static const DIScope *scopeOfGlobal(const DIGlobalVariable *Variable) {
  const DIDerivedType *Member = Variable->getStaticDataMemberDeclaration();
  return Member ? Member->getScope() : Variable->getScope();
}

void Symbols::describe(BlameObject &Object, const DIVariable *Variable) {
  const auto *Global = dyn_cast<DIGlobalVariable>(Variable);
  const auto *Local = dyn_cast<DILocalVariable>(Variable);
  Object.Type = type(Variable->getType());
  bool Captures = Local && Local->isObjectPointer() && nameOf(Local->getType()) == "(lambda) *";
  Object.Name = Unit.string((Global ? scopeOf(scopeOfGlobal(Global)) : "") +
                            (Captures ? "captures" : Variable->getName().str()));
  Object.File = Variable->getFile() ? Unit.file(Variable->getFilename().str()) : 0;
  Object.Line = Variable->getLine();
}

/// The name of a function without its parameters: `operator new`.
void Symbols::describeFunction(BlameObject &Object, const std::string &Linkage) {
  Object.Kind = SIS_BLAME_FUNCTION;
  ItaniumPartialDemangler Demangler;
  if (StringRef(Linkage).starts_with("_Z") && !Demangler.partialDemangle(Linkage.c_str()) &&
      Demangler.isFunction())
    if (char *Text = Demangler.getFunctionName(nullptr, nullptr)) {
      Object.Name = Unit.string(Text);
      free(Text);
    }
}

uint32_t Symbols::global(const GlobalValue *Value) {
  auto [At, New] = Globals.try_emplace(Value, 0);
  if (!New)
    return At->second;
  std::string Name = Value->getName().str();
  BlameObject Object = {};
  Object.Kind = Value->hasLocalLinkage() ? SIS_BLAME_STATIC : SIS_BLAME_GLOBAL;
  Object.Linkage = Object.Name = Unit.string(Name);
  SmallVector<DIGlobalVariableExpression *, 1> Described;
  const auto *Variable = dyn_cast<GlobalVariable>(Value->getAliaseeObject());
  if (Variable)
    Variable->getDebugInfo(Described);
  if (isa_and_nonnull<llvm::Function>(Value->getAliaseeObject()))
    describeFunction(Object, Name);
  else if (!Described.empty() && !Described[0]->getVariable()->getName().empty())
    describe(Object, Described[0]->getVariable());
  else if ((Variable && Variable->isConstant() && Variable->hasPrivateLinkage()) ||
           StringRef(Name).starts_with("_ZT") || StringRef(Name).starts_with("_ZGV"))
    Object.Kind = SIS_BLAME_CONSTANT; // also tables and guards that the compiler makes
  else if (Value->hasLocalLinkage() || Name.empty())
    Object.Kind = Variable && Variable->isConstant() ? SIS_BLAME_CONSTANT : SIS_BLAME_UNNAMED;
  if (Value->isThreadLocal())
    Object.Flags |= SIS_BLAME_OBJECT_THREAD_LOCAL;
  if (Variable && Variable->isConstant())
    Object.Flags |= SIS_BLAME_OBJECT_CONST;
  Unit.Objects.push_back(Object);
  return Globals[Value] = Unit.Objects.size();
}

uint32_t Symbols::local(const DILocalVariable *Variable, uint32_t Function, unsigned Flags) {
  uint32_t &Reference = Locals[Variable];
  if (Reference)
    return Reference;
  BlameObject Object = {};
  Object.Kind = SIS_BLAME_LOCAL;
  Object.Linkage = Unit.string("");
  Object.Function = Function;
  Object.Flags = Flags | (Variable->getArg() ? SIS_BLAME_OBJECT_PARAMETER : 0) |
                 (Variable->isObjectPointer() ? SIS_BLAME_OBJECT_THIS : 0);
  describe(Object, Variable);
  Unit.Objects.push_back(Object);
  return Reference = Unit.Objects.size();
}

uint32_t Symbols::exception() {
  if (!Exception) {
    uint32_t Linkage = Unit.string("exception");
    Unit.Objects.push_back({SIS_BLAME_GLOBAL, Linkage, Unit.string(""), 0, 0, 0, 0, 0});
    Exception = Unit.Objects.size();
  }
  return Exception;
}

uint32_t Symbols::unnamed(uint32_t Function) {
  uint32_t Empty = Unit.string("");
  Unit.Objects.push_back({SIS_BLAME_UNNAMED, Empty, Empty, 0, 0, 0, Function, 0});
  return Unit.Objects.size();
}

} // namespace sis
