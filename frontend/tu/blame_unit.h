/* SPDX-License-Identifier: BSD-3-Clause */
// blame_unit.h - what a translation unit computes, for section `sis_blame` (schema/blame.h): plain
// data that outlives Clang's AST and LLVM's module.
//
// clang/blame/ fills the data while the unit is parsed. emit/ writes the section, because only then
// the positions of the anchors in the emitted text are known. References are those of
// schema/blame.h: an index + 1, or 0 for none.
#ifndef SIS_FRONTEND_BLAME_UNIT_H
#define SIS_FRONTEND_BLAME_UNIT_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sis {

/// A sequence of numbers and strings in the encoding of schema/blame.h.
class BlameBytes {
public:
  void number(uint64_t N) {
    for (; N >= 0x80; N >>= 7)
      Bytes += char(N | 0x80);
    Bytes += char(N);
  }
  void difference(int64_t Z) { number(uint64_t(Z) << 1 ^ uint64_t(Z >> 63)); }
  void string(const std::string &S) {
    number(S.size());
    Bytes += S;
  }
  void append(const BlameBytes &Other, size_t First = 0, size_t Last = std::string::npos) {
    Bytes.append(Other.Bytes, First, Last - First);
  }
  const std::string &bytes() const { return Bytes; }

private:
  std::string Bytes;
};

struct BlameField {
  uint32_t Name;
  uint64_t Offset, Size;
  uint32_t Type;
};

struct BlameType {
  unsigned Kind;
  uint32_t Name;
  uint64_t Size;
  uint32_t Element;
  uint64_t Count;
  std::vector<BlameField> Fields;
};

struct BlameObject {
  unsigned Kind;
  uint32_t Linkage, Name, Type, File;
  unsigned Line;
  uint32_t Function;
  unsigned Flags;
};

struct BlameStatement {
  unsigned Kind;
  uint32_t File;
  unsigned Line, Column, EndLine;
};

/// A token of a statement. Offset: in the flat text. File, Line, Column: in the user's source.
struct BlameAnchor {
  unsigned Offset;
  uint32_t File;
  unsigned Line, Column;
  uint64_t Target; // 2 * statement, or 2 * group + 1
};

/// A call whose column is inserted into the values at byte At. The column is that in the emitted
/// text, so it is known only when this text is written.
struct BlameColumn {
  size_t At;
  unsigned Line, Column; // in the user's source; 0: unknown
};

struct BlameFunction {
  uint32_t Linkage = 0, Name = 0;
  unsigned Flags = 0;
  uint32_t File = 0;
  unsigned Line = 0;
  uint32_t Parent = 0, Type = 0;
  std::vector<uint32_t> Parameters;
  std::vector<BlameStatement> Statements;
  std::vector<BlameAnchor> Anchors;
  std::vector<std::vector<uint32_t>> Groups;
  uint64_t Blocks = 0, Values = 0;
  BlameBytes BlockBytes, ValueBytes; // the lists, without their counts and the columns
  std::vector<BlameColumn> Columns;  // by At
};

struct BlameUnit {
  std::vector<std::string> Strings;
  std::map<std::string, uint32_t> StringNumbers;
  std::vector<uint32_t> Files; // their names, as numbers of strings
  std::map<std::string, uint32_t> FileReferences;
  std::vector<BlameType> Types;
  std::vector<BlameObject> Objects;
  std::vector<BlameFunction> Functions;

  uint32_t string(const std::string &Text) {
    auto [At, New] = StringNumbers.try_emplace(Text, Strings.size());
    if (New)
      Strings.push_back(Text);
    return At->second;
  }
  uint32_t file(const std::string &Name) {
    auto [At, New] = FileReferences.try_emplace(Name, Files.size() + 1);
    if (New)
      Files.push_back(string(Name));
    return At->second;
  }
};

} // namespace sis

#endif
