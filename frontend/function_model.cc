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

} // namespace sis
