// function_model.h - one function's jumps and places where statements stand, by offset.
//
//   jumps   From -> To      goto, case (from its switch), break and continue (to the begin of their
//                           statement), return and calls that do not return (to nowhere)
//   lists   { ... }         a compound statement; its statements are its slots, in order
//   slots   [First, Last)   a statement: an item of a list, or the sole body of another statement.
//                           What a label labels is a slot of its own, with the label's place in the list.
//   walls   [First, Last)   what nothing jumps into or out of: what belongs to a directive of OpenMP,
//                           statement expressions
#ifndef SIS_FRONTEND_FUNCTION_MODEL_H
#define SIS_FRONTEND_FUNCTION_MODEL_H

#include "unit/range_index.h"
#include "unit/unit.h"

#include "clang/Basic/IdentifierTable.h"

#include "llvm/ADT/DenseMap.h"

#include <cstdint>
#include <vector>

namespace sis {

/// Where a jump comes out: before a statement (behind a label), behind one (break), in a loop's header.
struct TargetSlot {
  static constexpr unsigned None = UINT32_MAX;
  unsigned Slot = None;
  JumpTarget::Place Side = JumpTarget::Before;
  bool operator<(const TargetSlot &Other) const {
    return Slot != Other.Slot ? Slot < Other.Slot : Side < Other.Side;
  }
};

struct Jump {
  static constexpr unsigned Nowhere = UINT32_MAX;
  unsigned From, To;
  unsigned Line;      // where it is written
  bool Blind = false; // computed, or out of an asm: runs no cleanup on its way
  TargetSlot Target = {};
};

struct Slot {
  static constexpr unsigned NoList = UINT32_MAX;
  unsigned First, Last;
  unsigned List;          // NoList: the sole body of a statement
  unsigned Index;         // in the list
  const char *Locked;     // why nothing may be put around it
  Point Begin, End;       // of text around it
  const char *Why;        // there is no place for such text
  Point Target;             // of text that a jump to its label comes to first
  const char *TargetWhy;    // there is no place for such text
  bool IsLabel = false;   // the next slot is what it labels
  bool Behind = false;    // a directive stands between it and its label
  Point Header = {};      // loops: where `continue` leads, before an expression
  bool Alone = false;     // there is no expression in the header
  const char *HeaderWhy = nullptr;
};

struct List {
  unsigned First, Last; // of the braces' insides
  const char *Locked;   // why nothing may be put between its statements
  unsigned DeclPoint;         // where declarations of ours may stand, behind the `{`
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
  struct Object { // without a use by name behind it, it may still be used, or its end be seen
    unsigned At, List;
    const char *What;
  };
  std::vector<Object> Objects; // compound literals, arrays ..., with the block they live as long as

  /// When all jumps, lists and slots are known, and before the questions below.
  void finish();

  /// Whether a jump leads into [First, Last) from outside.
  bool entry(unsigned First, unsigned Last) const;
  /// Whether one leads out of it that a scope guard does not notice.
  bool blindExit(unsigned First, unsigned Last) const;
  /// Whether there is one of these: then a scope guard around [First, Last) does not hold, and a flag must do.
  bool jumpsAcross(unsigned First, unsigned Last) const { return entry(First, Last) || blindExit(First, Last); }
  unsigned entries(unsigned First, unsigned Last) const; // 1 without jumps
  unsigned exits(unsigned First, unsigned Last) const;
  /// Whether the jump comes out inside [First, Last).
  bool targetIn(const Jump &J, unsigned First, unsigned Last) const;
  /// The statement behind all labels that begin with this slot, or the first that a directive stands before.
  unsigned labelled(unsigned SlotNumber) const;
  /// Whether a wall has one of two places inside and the other outside.
  bool barrierBetween(unsigned One, unsigned Other) const;
  /// Names and objects that statements in [First, Last) declare.
  using DeclaredRange = std::pair<std::vector<Declared>::const_iterator, std::vector<Declared>::const_iterator>;
  using ObjectRange = std::pair<std::vector<Object>::const_iterator, std::vector<Object>::const_iterator>;
  DeclaredRange declaredIn(unsigned First, unsigned Last) const;
  ObjectRange objectsIn(unsigned First, unsigned Last) const;
  /// Whether the function declares the name, and it can be used at the offset.
  bool isVisible(const clang::IdentifierInfo *Name, unsigned At) const;
  /// The innermost block around [First, Last), or NULL.
  const List *listAround(unsigned First, unsigned Last) const;
  /// Numbers of slots that begin in [First, At) and end behind At, in their order.
  std::vector<uint32_t> slotsAcross(unsigned First, unsigned At) const;
  /// The innermost block around [First, Last) that is entered only at its `{`, and left only in ways that
  /// clean up; none, or not on this side of a wall: NULL.
  const List *homeOf(unsigned First, unsigned Last) const;
  /// Numbers of jumps that begin in [First, Last), or end there.
  std::vector<uint32_t> jumpsWithin(unsigned First, unsigned Last) const;
  /// Whether a list begins at the offset between whose statements something may be put.
  bool listAt(unsigned Offset) const;
  /// Numbers of slots that begin at an offset, or end there, in their order.
  std::vector<uint32_t> slotsFrom(unsigned Offset) const;
  std::vector<uint32_t> slotsTo(unsigned Offset) const;

private:
  /// Jumps by one of their ends: which have the other one outside?
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
    /// Visits those with the key in [First, Last) and the other end outside, until Visit returns true.
    template <typename F> bool across(unsigned First, unsigned Last, F Visit) const {
      return Before.visit(First, Last, 1 - int64_t(First), Visit) || Behind.visit(First, Last, Last, Visit);
    }
  };
  Ends ByTo, ByFrom, BlindByFrom;
  RangeIndex ListEnds, SlotEnds, SlotsByLast, BarrierBegins, BarrierEnds;
  mutable llvm::DenseMap<const clang::IdentifierInfo *, std::vector<uint32_t>> ByName; // Names; filled when first used
};

} // namespace sis

#endif
