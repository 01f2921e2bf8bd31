// SPDX-License-Identifier: BSD-3-Clause
// blame_section.cc - see blame_section.h. Any thread; emit.cc calls it after the text is written.
// Its one idea: the emitted text contains the blob, as numbers for the assembler. So each object
// file has its own blob, and needs no other file.
#include "emit/blame_section.h"

#include "blame.h"
#include "fnv.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <tuple>

namespace sis {

namespace {

/// Finds the position that the compiler reports for an offset of the flat text.
class EmittedPositions {
public:
  EmittedPositions(const std::string &Text, const std::vector<CopiedPiece> &Pieces)
      : Text(Text), Pieces(Pieces) {
    for (size_t At = 0; (At = Text.find('\n', At)) != std::string::npos; ++At)
      LineEnds.push_back(At);
  }

  /// The column; 0 if the emitted text has an #include in place of the offset. Then columns are as
  /// in the header.
  unsigned column(unsigned Offset) const {
    auto After = [](unsigned At, const CopiedPiece &P) { return At < P.First; };
    auto It = std::upper_bound(Pieces.begin(), Pieces.end(), Offset, After);
    if (It == Pieces.begin() || Offset >= (--It)->Last)
      return 0;
    return It->Replaced ? columnOfFold(*It) : columnOf(It->At + (Offset - It->First));
  }

private:
  unsigned columnOf(size_t At) const {
    auto End = std::lower_bound(LineEnds.begin(), LineEnds.end(), At);
    return At - (End == LineEnds.begin() ? 0 : *std::prev(End) + 1) + 1;
  }
  /// The column of a fold that is the use of a macro; 0 for an #include.
  unsigned columnOfFold(const CopiedPiece &P) const {
    return Text[P.At] == '#' ? 0 : columnOf(P.At);
  }

  const std::string &Text;
  const std::vector<CopiedPiece> &Pieces;
  std::vector<size_t> LineEnds;
};

} // namespace

static void writeAnchors(BlameBytes &Out, const BlameFunction &F,
                         const EmittedPositions &Positions) {
  std::vector<BlameAnchor> All = F.Anchors;
  for (BlameAnchor &A : All)
    if (unsigned Column = Positions.column(A.Offset))
      A.Column = Column;
  auto Key = [](const BlameAnchor &A) { return std::tie(A.File, A.Line, A.Column); };
  std::stable_sort(All.begin(), All.end(), [&](const BlameAnchor &A, const BlameAnchor &B) {
    return Key(A) < Key(B);
  });
  auto Same = [&](const BlameAnchor &A, const BlameAnchor &B) { return Key(A) == Key(B); };
  All.erase(std::unique(All.begin(), All.end(), Same), All.end());
  int64_t File = 0, Line = 0, Column = 0;
  Out.number(All.size());
  for (const BlameAnchor &A : All) {
    Out.difference(A.File - File);
    Out.difference(A.Line - Line);
    Out.difference(A.Column - Column);
    Out.number(A.Target);
    File = A.File;
    Line = A.Line;
    Column = A.Column;
  }
}

/// Writes the values, with the columns of calls.
static void writeValues(BlameBytes &Out, const BlameFunction &F,
                        const EmittedPositions &Positions) {
  std::map<std::pair<unsigned, unsigned>, unsigned> Offsets;
  for (const BlameAnchor &A : F.Anchors)
    Offsets.try_emplace({A.Line, A.Column}, A.Offset);
  size_t Done = 0;
  Out.number(F.Values);
  for (const BlameColumn &C : F.Columns) {
    auto Found = Offsets.find({C.Line, C.Column});
    unsigned Emitted = Found == Offsets.end() ? 0 : Positions.column(Found->second);
    Out.append(F.ValueBytes, Done, C.At);
    Out.number(Emitted ? Emitted : C.Column);
    Done = C.At;
  }
  Out.append(F.ValueBytes, Done);
}

static void writeFunction(BlameBytes &Out, const BlameFunction &F,
                          const EmittedPositions &Positions) {
  for (uint64_t N : {F.Linkage, F.Name, F.Flags, F.File, F.Line, F.Parent, F.Type})
    Out.number(N);
  Out.number(F.Parameters.size());
  for (uint32_t P : F.Parameters)
    Out.number(P);
  Out.number(F.Statements.size());
  for (const BlameStatement &S : F.Statements)
    for (uint64_t N : {S.Kind, S.File, S.Line, S.Column, S.EndLine})
      Out.number(N);
  writeAnchors(Out, F, Positions);
  Out.number(F.Groups.size());
  for (const std::vector<uint32_t> &Group : F.Groups) {
    Out.number(Group.size());
    for (uint32_t S : Group)
      Out.number(S);
  }
  Out.number(F.Blocks);
  Out.append(F.BlockBytes);
  writeValues(Out, F, Positions);
}

static std::string payload(const sis_ast &Ast, const EmittedPositions &Positions) {
  const BlameUnit &Unit = *Ast.Blame;
  BlameBytes Out;
  Out.string(Ast.File);
  Out.string(Ast.Directory);
  Out.string(""); // the unit's description has positions in the text, so it is made later
  Out.number(Unit.Strings.size());
  for (const std::string &S : Unit.Strings)
    Out.string(S);
  Out.number(Unit.Files.size());
  for (uint32_t Name : Unit.Files)
    Out.number(Name);
  Out.number(Unit.Types.size());
  for (const BlameType &T : Unit.Types) {
    for (uint64_t N : {uint64_t(T.Kind), uint64_t(T.Name), T.Size, uint64_t(T.Element), T.Count,
                       uint64_t(T.Fields.size())})
      Out.number(N);
    for (const BlameField &F : T.Fields)
      for (uint64_t N : {uint64_t(F.Name), F.Offset, F.Size, uint64_t(F.Type)})
        Out.number(N);
  }
  Out.number(Unit.Objects.size());
  for (const BlameObject &O : Unit.Objects)
    for (uint64_t N : {O.Kind, O.Linkage, O.Name, O.Type, O.File, O.Line, O.Function, O.Flags})
      Out.number(N);
  Out.number(Unit.Functions.size());
  for (const BlameFunction &F : Unit.Functions)
    writeFunction(Out, F, Positions);
  return Out.bytes();
}

/// The header and the stored payload, padded to whole words.
static std::string blob(const std::string &Payload) {
  namespace zstd = llvm::compression::zstd;
  sis_blame_header Header = {};
  std::string Stored = Payload;
  if (zstd::isAvailable()) {
    llvm::SmallVector<uint8_t> Packed;
    zstd::compress(llvm::arrayRefFromStringRef(Payload), Packed, zstd::BestSpeedCompression);
    Stored.assign(Packed.begin(), Packed.end());
    Header.packed = 1;
  }
  memcpy(Header.magic, SIS_BLAME_MAGIC, sizeof Header.magic);
  Header.version = SIS_BLAME_VERSION;
  Header.size = (sizeof Header + Stored.size() + 7) / 8 * 8;
  Header.stored = Stored.size();
  Header.plain = Payload.size();
  Header.checksum = sis_fnv(SIS_FNV_START, Stored.data(), Stored.size());
  std::string All(reinterpret_cast<const char *>(&Header), sizeof Header);
  All += Stored;
  All.resize(Header.size);
  return All;
}

/// The words of the blob as directives of the assembler. The section is not loaded into memory. The
/// linker keeps this section if it keeps anything of the object.
static std::string assembly(const std::string &Blob) {
  constexpr size_t InLine = 8;
  std::string Text = "#ifndef SIS__VERIFY\n__extension__ __asm__(\".pushsection " SIS_BLAME_SECTION
                     ",\\\"\\\",%progbits\\n.balign 8\\n\"\n";
  for (size_t At = 0; At < Blob.size(); At += 8) {
    uint64_t Word;
    memcpy(&Word, Blob.data() + At, 8);
    Text += At / 8 % InLine ? "," : "\".quad ";
    Text += "0x" + llvm::utohexstr(Word, true);
    if ((At / 8 + 1) % InLine == 0 || At + 8 >= Blob.size())
      Text += "\\n\"\n";
  }
  return Text + "\".popsection\\n\");\n#endif\n";
}

std::string blameSection(const sis_ast &Ast, const std::string &Text,
                         const std::vector<CopiedPiece> &Emitted) {
  if (!Ast.Blame)
    return "";
  EmittedPositions Positions(Text, Emitted);
  return assembly(blob(payload(Ast, Positions)));
}

} // namespace sis
