// function_model.cc - see function_model.h. Pure functions of a finished model.
#include "function_model.h"

#include <algorithm>

namespace sis {

static bool within(unsigned At, unsigned First, unsigned Last) { return At >= First && At < Last; }

const Jump *FunctionModel::entry(unsigned First, unsigned Last) const {
  for (const Jump &J : Jumps)
    if (within(J.To, First, Last) && !within(J.From, First, Last))
      return &J;
  return nullptr;
}

const Jump *FunctionModel::blindExit(unsigned First, unsigned Last) const {
  for (const Jump &J : Jumps)
    if (J.Blind && within(J.From, First, Last) && !within(J.To, First, Last))
      return &J;
  return nullptr;
}

unsigned FunctionModel::entries(unsigned First, unsigned Last) const {
  std::vector<unsigned> Targets;
  for (const Jump &J : Jumps)
    if (within(J.To, First, Last) && !within(J.From, First, Last))
      Targets.push_back(J.To);
  std::sort(Targets.begin(), Targets.end());
  return 1 + (std::unique(Targets.begin(), Targets.end()) - Targets.begin());
}

unsigned FunctionModel::exits(unsigned First, unsigned Last) const {
  return 1 + std::count_if(Jumps.begin(), Jumps.end(), [&](const Jump &J) {
           return within(J.From, First, Last) && !within(J.To, First, Last);
         });
}

bool FunctionModel::landsIn(const Jump &J, unsigned First, unsigned Last) const {
  if (J.Lands.Slot == Target::None)
    return within(J.To, First, Last);
  const Slot &S = Slots[J.Lands.Slot];
  if (J.Lands.Side == Landing::Before)
    return within(J.To, First, Last);
  // behind a statement, or on the way to its next round: what reaches past it has not been left
  bool Holds = S.First >= First && S.Last <= Last, ReachesPast = S.Last > First && S.Last < Last;
  return Holds || ReachesPast || (J.Lands.Side == Landing::Header && within(S.First, First, Last));
}

unsigned FunctionModel::labelled(unsigned SlotNumber) const {
  while (Slots[SlotNumber].IsLabel && !Slots[SlotNumber].Behind)
    ++SlotNumber;
  return SlotNumber;
}

bool FunctionModel::wallBetween(unsigned One, unsigned Other) const {
  return std::any_of(Walls.begin(), Walls.end(), [&](const Wall &W) {
    return within(One, W.First, W.Last) != within(Other, W.First, W.Last);
  });
}

const List *FunctionModel::homeOf(unsigned First, unsigned Last) const {
  const List *Found = nullptr;
  for (const List &L : Lists) {
    if (L.First > First || L.Last < Last || L.Locked || !L.Top)
      continue;
    bool Closest = !Found || L.First > Found->First;
    if (Closest && !wallBetween(L.First, First) && !jumpsAcross(L.First, L.Last))
      Found = &L;
  }
  return Found;
}

} // namespace sis
