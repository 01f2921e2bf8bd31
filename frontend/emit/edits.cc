// SPDX-License-Identifier: BSD-3-Clause
// edits.cc - see edits.h. Any thread; one thread uses an Edits.
#include "emit/edits.h"

#include <algorithm>
#include <cctype>
#include <tuple>

namespace sis {

void Edits::sort() {
  auto Key = [](const Edit &E) {
    return std::tie(E.First, E.Where, E.Depth, E.Sub, E.Last, E.Text);
  };
  if (Sorted)
    return;
  std::sort(All.begin(), All.end(), [&](const Edit &A, const Edit &B) { return Key(A) < Key(B); });
  auto Same = [&](const Edit &A, const Edit &B) { return Key(A) == Key(B); };
  All.erase(std::unique(All.begin(), All.end(), Same), All.end());
  Sorted = true;
}

bool Edits::anyInside(unsigned First, unsigned Last) {
  sort();
  auto After = [](unsigned Offset, const Edit &E) { return Offset < E.First; };
  auto It = std::upper_bound(All.begin(), All.end(), First, After);
  return It != All.end() && It->First < Last;
}

static bool isOfWord(char C) {
  return isalnum((unsigned char)C) || C == '_' || C == '$' || (unsigned char)C >= 0x80;
}

/// Appends text. If the text and the result so far would become one word, a space is put between
/// them.
static void append(std::string &Result, const std::string &Text, size_t First, size_t Count) {
  if (Count && !Result.empty() && isOfWord(Result.back()) && isOfWord(Text[First]))
    Result += ' ';
  Result.append(Text, First, Count);
}

bool Edits::apply(const std::string &Text, unsigned Start, std::string &Result,
                  unsigned &ConflictAt, std::vector<CopiedPiece> &Pieces) {
  sort();
  unsigned Done = Start;
  auto Copy = [&](unsigned Last) {
    append(Result, Text, Done, Last - Done);
    if (Last > Done)
      Pieces.push_back({Done, Last, Result.size() - (Last - Done), false});
  };
  for (const Edit &E : All) {
    if (E.First < Done || E.Last > Text.size()) {
      ConflictAt = E.First;
      return false;
    }
    Copy(E.First);
    append(Result, E.Text, 0, E.Text.size());
    if (E.Last > E.First)
      Pieces.push_back({E.First, E.Last, Result.size() - E.Text.size(), true});
    Done = E.Last;
  }
  Copy(Text.size());
  return true;
}

} // namespace sis
