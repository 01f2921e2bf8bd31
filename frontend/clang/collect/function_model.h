/* SPDX-License-Identifier: BSD-3-Clause */
// function_model.h - the jumps and statements of one function, by offset.
//
//   jumps    From -> To     goto, case (from its switch), break and continue (to the begin of their
//                           statement), return and calls that do not return (to ToNowhere)
//   lists    { ... }        a compound statement; its statements are its slots, in order
//   slots    [First, Last)  a statement: an item of a list, or the sole body of another statement.
//                           The statement behind a label is a slot, too, with the label's index
//                           in the list.
//   barriers [First, Last)  no jump leads in or out: the statement of an OpenMP directive, and
//                           statement expressions. (Not the barrier construct of OpenMP.)
#ifndef SIS_FRONTEND_FUNCTION_MODEL_H
#define SIS_FRONTEND_FUNCTION_MODEL_H

#include "tu/range_index.h"
#include "tu/tu.h"

#include "clang/Basic/IdentifierTable.h"

#include "llvm/ADT/DenseMap.h"

#include <cstdint>
#include <vector>

namespace sis {

/// The target of a jump: before a statement (behind a label), after one (break), in a loop's header
/// (continue).
struct TargetSlot {
  static constexpr unsigned None = UINT32_MAX;
  unsigned Slot = None;
  JumpTarget::Position Side = JumpTarget::Before;
  bool operator<(const TargetSlot &Other) const {
    return Slot != Other.Slot ? Slot < Other.Slot : Side < Other.Side;
  }
};

struct Jump {
  static constexpr unsigned ToNowhere = UINT32_MAX;
  unsigned From, To;
  unsigned Line;      // where the jump is written
  bool NoCleanup = false; // computed goto or asm goto: runs no cleanup
  TargetSlot Target = {};
};

struct Slot {
  static constexpr unsigned NoList = UINT32_MAX;
  unsigned First, Last;
  unsigned List;          // NoList: the sole body of a statement
  unsigned Index;         // position among the slots of the list
  const char *Locked;     // why the construct around it forbids text around it, or NULL
  Point Begin, End;       // where text around it is inserted
  const char *Why;        // why no text can be inserted there; NULL if it can
  Point Target;           // where text is inserted that a jump to its label executes first
  const char *TargetWhy;  // why no text can be inserted there; NULL if it can
  bool IsLabel = false;   // the next slot is the labelled statement
  bool Behind = false;    // a directive is between statement and label
  Point Header = {};      // loops: the target of `continue`, before an expression
  bool EmptyHeader = false; // that expression is absent
  const char *HeaderWhy = nullptr;
};

struct List {
  unsigned First, Last; // of the text inside the braces
  const char *Locked;   // why no text may be between its statements, or NULL
  unsigned DeclPoint;   // where declarations may be inserted, behind the `{`; 0 if nowhere
};

struct FunctionModel {
  std::vector<Jump> Jumps;
  std::vector<List> Lists;
  std::vector<Slot> Slots;
  struct Barrier {
    unsigned First, Last;
  };
  std::vector<Barrier> Barriers;
  llvm::DenseMap<unsigned, unsigned> ElseOf; // the two arms of an if, by slot
  struct Declared {
    unsigned At, List;
    const clang::IdentifierInfo *Name;
    unsigned Until; // end of its scope
  };
  std::vector<Declared> Names; // what statements of a list declare
  struct Object { // must live until the end of its block, not only until its last use by name
    unsigned At, List;
    const char *What;
  };
  std::vector<Object> Objects; // compound literals, arrays, variables with a cleanup

  /// Builds the indexes that the functions below need. Called when all jumps, lists and slots are
  /// known.
  void finish();

  /// Whether a jump leads from outside into [First, Last).
  bool entry(unsigned First, unsigned Last) const;
  /// Whether a jump that runs no cleanup leads out of [First, Last).
  bool exitWithoutCleanup(unsigned First, unsigned Last) const;
  /// Whether a jump enters [First, Last), or leaves it without cleanup. Then a scope guard around
  /// the text does not work, and a flag is needed.
  bool jumpsAcross(unsigned First, unsigned Last) const {
    return entry(First, Last) || exitWithoutCleanup(First, Last);
  }
  unsigned entries(unsigned First, unsigned Last) const; // 1 if there are no jumps
  unsigned exits(unsigned First, unsigned Last) const;
  /// Whether the jump's target is inside [First, Last).
  bool targetIn(const Jump &J, unsigned First, unsigned Last) const;
  /// A chain of labels begins with slot SlotNumber. Returns the slot of the statement behind the
  /// chain or, if a directive stands in the chain, of the first link behind the directive.
  unsigned labelled(unsigned SlotNumber) const;
  /// Whether there is a barrier that contains one of the two offsets and not the other.
  bool barrierBetween(unsigned One, unsigned Other) const;
  /// Names and objects that statements in [First, Last) declare.
  using DeclaredRange =
      std::pair<std::vector<Declared>::const_iterator, std::vector<Declared>::const_iterator>;
  using ObjectRange =
      std::pair<std::vector<Object>::const_iterator, std::vector<Object>::const_iterator>;
  DeclaredRange declaredIn(unsigned First, unsigned Last) const;
  ObjectRange objectsIn(unsigned First, unsigned Last) const;
  /// Whether the function declares the name, and the declaration is visible at the offset.
  bool isVisible(const clang::IdentifierInfo *Name, unsigned At) const;
  /// The innermost block around [First, Last), or NULL.
  const List *listAround(unsigned First, unsigned Last) const;
  /// Numbers of the slots that begin in [First, At) and end behind At, in the order of slots.
  std::vector<uint32_t> slotsAcross(unsigned First, unsigned At) const;
  /// The block for the variable of a flag, or NULL. It is the innermost block around [First, Last)
  /// that is entered only at its `{`, is left only by jumps that run cleanups, and is inside of the
  /// same barriers.
  const List *blockForFlag(unsigned First, unsigned Last) const;
  /// Numbers of jumps that begin in [First, Last), or end there.
  std::vector<uint32_t> jumpsWithin(unsigned First, unsigned Last) const;
  /// Whether a list begins at the offset, and text may be put between its statements.
  bool listAt(unsigned Offset) const;
  /// Numbers of slots that begin at an offset, or end there, in their order.
  std::vector<uint32_t> slotsFrom(unsigned Offset) const;
  std::vector<uint32_t> slotsTo(unsigned Offset) const;

private:
  /// Jumps sorted by one end. The index finds jumps that have this end inside a range and the other
  /// end outside.
  struct Ends {
    RangeIndex Before, Behind;
    void add(unsigned Key, unsigned Other, uint32_t Number) {
      Before.add(Key, -int64_t(Other), Number);
      Behind.add(Key, Other, Number);
    }
    void finish() {
      Before.finish();
      Behind.finish();
    }
    /// Visits the jumps with one end in [First, Last) and the other one outside, until Visit
    /// returns true. Returns whether it did.
    template <typename F> bool across(unsigned First, unsigned Last, F Visit) const {
      return Before.visit(First, Last, 1 - int64_t(First), Visit) ||
             Behind.visit(First, Last, Last, Visit);
    }
  };
  Ends ByTo, ByFrom, NoCleanupByFrom;
  RangeIndex ListEnds, SlotEnds, SlotsByLast, BarrierBegins, BarrierEnds;
  std::vector<unsigned> Labelled; // by slot; see labelled
  mutable llvm::DenseMap<const clang::IdentifierInfo *, std::vector<uint32_t>>
      ByName; // indices of Names; filled when first used
};

} // namespace sis

#endif
