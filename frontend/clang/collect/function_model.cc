// SPDX-License-Identifier: BSD-3-Clause
// function_model.cc - see function_model.h. Pure functions of a finished model.
#include "clang/collect/function_model.h"

#include <algorithm>

namespace sis {

static bool within(unsigned At, unsigned First, unsigned Last) { return At >= First && At < Last; }

void FunctionModel::finish() {
  for (uint32_t I = 0; I < Jumps.size(); ++I) {
    const Jump &J = Jumps[I];
    ByTo.add(J.To, J.From, I);
    ByFrom.add(J.From, J.To, I);
    if (J.NoCleanup)
      NoCleanupByFrom.add(J.From, J.To, I);
  }
  for (uint32_t I = 0; I < Lists.size(); ++I)
    ListEnds.add(Lists[I].First, Lists[I].Last, I);
  for (uint32_t I = 0; I < Slots.size(); ++I) {
    SlotEnds.add(Slots[I].First, Slots[I].Last, I);
    SlotsByLast.add(Slots[I].Last, 0, I);
  }
  for (uint32_t I = 0; I < Barriers.size(); ++I) {
    BarrierBegins.add(Barriers[I].First, Barriers[I].Last, I);
    BarrierEnds.add(Barriers[I].Last, -int64_t(Barriers[I].First), I);
  }
  // The condition of a do-while is walked before the body, although it stands behind the body.
  std::stable_sort(Names.begin(), Names.end(),
                   [](const Declared &A, const Declared &B) { return A.At < B.At; });
  std::stable_sort(Objects.begin(), Objects.end(),
                   [](const Object &A, const Object &B) { return A.At < B.At; });
  for (Ends *E : {&ByTo, &ByFrom, &NoCleanupByFrom})
    E->finish();
  for (RangeIndex *Index : {&ListEnds, &SlotEnds, &SlotsByLast, &BarrierBegins, &BarrierEnds})
    Index->finish();
  Labelled.resize(Slots.size());
  for (unsigned I = Slots.size(); I-- > 0;) {
    bool FollowsLabel = Slots[I].IsLabel && !Slots[I].Behind && I + 1 < Slots.size();
    Labelled[I] = FollowsLabel ? Labelled[I + 1] : I;
  }
}

static constexpr int64_t Any = INT64_MIN + 1;

static bool first(uint32_t) { return true; }

bool FunctionModel::entry(unsigned First, unsigned Last) const {
  return ByTo.across(First, Last, first);
}

bool FunctionModel::exitWithoutCleanup(unsigned First, unsigned Last) const {
  return NoCleanupByFrom.across(First, Last, first);
}

unsigned FunctionModel::entries(unsigned First, unsigned Last) const {
  std::vector<unsigned> Targets;
  ByTo.across(First, Last, [&](uint32_t Number) {
    Targets.push_back(Jumps[Number].To);
    return false;
  });
  std::sort(Targets.begin(), Targets.end());
  return 1 + (std::unique(Targets.begin(), Targets.end()) - Targets.begin());
}

unsigned FunctionModel::exits(unsigned First, unsigned Last) const {
  unsigned Number = 1;
  ByFrom.across(First, Last, [&](uint32_t) {
    ++Number;
    return false;
  });
  return Number;
}

static std::vector<uint32_t> numbers(const RangeIndex &Index, unsigned First, unsigned Last) {
  std::vector<uint32_t> Found;
  Index.visit(First, Last, Any, [&](uint32_t Number) {
    Found.push_back(Number);
    return false;
  });
  return Found;
}

std::vector<uint32_t> FunctionModel::jumpsWithin(unsigned First, unsigned Last) const {
  std::vector<uint32_t> From = numbers(ByFrom.Behind, First, Last),
                        To = numbers(ByTo.Behind, First, Last);
  From.insert(From.end(), To.begin(), To.end());
  return From;
}

std::vector<uint32_t> FunctionModel::slotsFrom(unsigned Offset) const {
  return numbers(SlotEnds, Offset, Offset + 1);
}

std::vector<uint32_t> FunctionModel::slotsTo(unsigned Offset) const {
  return numbers(SlotsByLast, Offset, Offset + 1);
}

bool FunctionModel::targetIn(const Jump &J, unsigned First, unsigned Last) const {
  if (J.Target.Slot == TargetSlot::None)
    return within(J.To, First, Last);
  const Slot &S = Slots[J.Target.Slot];
  if (J.Target.Side == JumpTarget::Before)
    return within(J.To, First, Last);
  // The target is behind a statement, or before the next iteration of a loop. If the statement or
  // loop ends inside the range, the jump does not leave the range.
  bool Holds = S.First >= First && S.Last <= Last, ReachesPast = S.Last > First && S.Last < Last;
  return Holds || ReachesPast ||
         (J.Target.Side == JumpTarget::Header && within(S.First, First, Last));
}

unsigned FunctionModel::labelled(unsigned SlotNumber) const { return Labelled[SlotNumber]; }

bool FunctionModel::barrierBetween(unsigned One, unsigned Other) const {
  int64_t First = std::min(One, Other), Last = std::max(One, Other);
  return BarrierBegins.visit(First + 1, Last + 1, Last + 1, first) ||
         BarrierEnds.visit(First + 1, Last + 1, -First, first);
}

template <typename T>
static auto declaredAt(const std::vector<T> &All, unsigned First, unsigned Last) {
  auto Before = [](const T &One, unsigned Offset) { return One.At < Offset; };
  auto Begin = std::lower_bound(All.begin(), All.end(), First, Before);
  return std::make_pair(Begin, std::lower_bound(Begin, All.end(), Last, Before));
}

FunctionModel::DeclaredRange FunctionModel::declaredIn(unsigned First, unsigned Last) const {
  return declaredAt(Names, First, Last);
}

FunctionModel::ObjectRange FunctionModel::objectsIn(unsigned First, unsigned Last) const {
  return declaredAt(Objects, First, Last);
}

bool FunctionModel::isVisible(const clang::IdentifierInfo *Name, unsigned At) const {
  if (ByName.empty())
    for (uint32_t I = 0; I < Names.size(); ++I)
      if (Names[I].Name)
        ByName[Names[I].Name].push_back(I);
  auto Found = ByName.find(Name);
  return Found != ByName.end() &&
         std::any_of(Found->second.begin(), Found->second.end(),
                     [&](uint32_t I) { return Names[I].At < At && At < Names[I].Until; });
}

const List *FunctionModel::listAround(unsigned First, unsigned Last) const {
  const List *Found = nullptr;
  ListEnds.visitBack(0, int64_t(First) + 1, Last, [&](uint32_t Number) {
    Found = &Lists[Number];
    return true;
  });
  return Found;
}

std::vector<uint32_t> FunctionModel::slotsAcross(unsigned First, unsigned At) const {
  std::vector<uint32_t> Found;
  SlotEnds.visit(First, At, int64_t(At) + 1, [&](uint32_t Number) {
    Found.push_back(Number);
    return false;
  });
  std::sort(Found.begin(), Found.end());
  return Found;
}

bool FunctionModel::listAt(unsigned Offset) const {
  return ListEnds.visit(Offset, int64_t(Offset) + 1, Any,
                        [&](uint32_t Number) { return !Lists[Number].Locked; });
}

const List *FunctionModel::blockForFlag(unsigned First, unsigned Last) const {
  const List *Found = nullptr;
  ListEnds.visitBack(0, int64_t(First) + 1, Last, [&](uint32_t Number) {
    const List &L = Lists[Number];
    if (!L.Locked && L.DeclPoint && !barrierBetween(L.First, First) &&
        !jumpsAcross(L.First, L.Last))
      Found = &L;
    return Found != nullptr;
  });
  return Found;
}

} // namespace sis
