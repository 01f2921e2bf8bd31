// function_model.h - one function's jumps and places where statements stand, by offset.
//
//   jumps   From -> To      goto, case (from its switch), break and continue (to the begin of their
//                           statement), return and calls that do not return (to nowhere)
//   lists   { ... }         a compound statement; its statements are its slots, in order
//   slots   [First, Last)   a statement: an item of a list, or the sole body of another statement.
//                           What a label labels is a slot of its own, with the label's place in the list.
#ifndef SIS_FRONTEND_FUNCTION_MODEL_H
#define SIS_FRONTEND_FUNCTION_MODEL_H

#include "clang/Basic/IdentifierTable.h"

#include <cstdint>
#include <vector>

namespace sis {

struct Jump {
  static constexpr unsigned Nowhere = UINT32_MAX;
  unsigned From, To;
  unsigned Line;      // where it is written
  bool Blind = false; // computed, or out of an asm: runs no cleanup on its way
};

struct Slot {
  static constexpr unsigned NoList = UINT32_MAX;
  unsigned First, Last;
  unsigned List;          // NoList: the sole body of a statement
  unsigned Index;         // in the list
  bool EndsOnOwnLine;     // with a standalone directive
  const char *Locked;     // why nothing may be put around it
};

struct List {
  unsigned First, Last; // of the braces' insides
  const char *Locked;   // why nothing may be put between its statements
};

struct FunctionModel {
  std::vector<Jump> Jumps;
  std::vector<List> Lists;
  std::vector<Slot> Slots;
  struct Declared {
    unsigned At, List;
    const clang::IdentifierInfo *Name;
  };
  std::vector<Declared> Names; // what statements of a list declare
  struct Object { // without a use by name behind it, it may still be used, or its end be seen
    unsigned At, List;
    const char *What;
  };
  std::vector<Object> Objects; // compound literals, arrays ..., with the block they live as long as

  /// A jump into [First, Last) from outside; NULL for none.
  const Jump *entry(unsigned First, unsigned Last) const;
  /// A jump out of it that a scope guard does not notice; NULL for none.
  const Jump *blindExit(unsigned First, unsigned Last) const;
  unsigned entries(unsigned First, unsigned Last) const; // 1 without jumps
  unsigned exits(unsigned First, unsigned Last) const;
};

} // namespace sis

#endif
