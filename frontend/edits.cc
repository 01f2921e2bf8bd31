// edits.cc - see edits.h. Any thread; an Edits belongs to one.
#include "edits.h"

#include <algorithm>
#include <tuple>

namespace sis {

bool Edits::apply(const std::string &Text, unsigned Start, std::string &Result, unsigned &ConflictAt) {
  auto Key = [](const Edit &E) { return std::tie(E.First, E.Rank, E.Order, E.Last, E.Text); };
  std::sort(All.begin(), All.end(), [&](const Edit &A, const Edit &B) { return Key(A) < Key(B); });
  auto Same = [&](const Edit &A, const Edit &B) { return Key(A) == Key(B); };
  All.erase(std::unique(All.begin(), All.end(), Same), All.end());
  unsigned Done = Start;
  for (const Edit &E : All) {
    if (E.First < Done || E.Last > Text.size()) {
      ConflictAt = E.First;
      return false;
    }
    Result.append(Text, Done, E.First - Done);
    Result += E.Text;
    Done = E.Last;
  }
  Result.append(Text, Done, std::string::npos);
  return true;
}

} // namespace sis
