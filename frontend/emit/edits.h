/* SPDX-License-Identifier: BSD-3-Clause */
// edits.h - insertions into a text, and replacements of its parts. They are collected in any order,
// and applied once.
//
// At one offset the order is: the end of a fold that is written out, closing text (innermost
// first), text that a jump to the offset executes first (by its order), replacements, opening text
// (outermost first), folds. An edit inside replaced text is a conflict, and apply fails.
#ifndef SIS_FRONTEND_EDITS_H
#define SIS_FRONTEND_EDITS_H

#include <cstdint>
#include <string>
#include <vector>

namespace sis {

/// Part [First, Last) of the text begins at offset At of the result. Replaced: the result has
/// another text there.
struct CopiedPiece {
  unsigned First, Last;
  size_t At;
  bool Replaced;
};

class Edits {
public:
  /// Outer text has a smaller Depth or, if Depths are equal, a smaller Sub.
  void open(unsigned Offset, uint32_t Depth, std::string Text, uint64_t Sub = 0) {
    add({Offset, Offset, Opens, Depth, Sub, std::move(Text)});
  }
  void close(unsigned Offset, uint32_t Depth, std::string Text, uint64_t Sub = 0) {
    add({Offset, Offset, Closes, ~Depth, ~Sub, std::move(Text)});
  }
  void target(unsigned Offset, uint64_t Order, std::string Text) {
    add({Offset, Offset, Target, 0, Order, std::move(Text)});
  }
  void replace(unsigned First, unsigned Last, std::string Text) {
    add({First, Last, Replaces, 0, 0, std::move(Text)});
  }
  /// The begin of a fold, or a replacement of the whole fold.
  void fold(unsigned First, unsigned Last, std::string Text) {
    add({First, Last, Folds, 0, 0, std::move(Text)});
  }
  /// The end of a fold that is written out.
  void unfolded(unsigned Offset, std::string Text) {
    add({Offset, Offset, Ends, 0, 0, std::move(Text)});
  }

  /// Whether an edit lies strictly inside [First, Last).
  bool anyInside(unsigned First, unsigned Last);

  /// Sets Result to Text from offset Start on, with the edits. Returns false if edits conflict at
  /// ConflictAt. Pieces gets the position of each part of Text, in order.
  bool apply(const std::string &Text, unsigned Start, std::string &Result, unsigned &ConflictAt,
             std::vector<CopiedPiece> &Pieces);

private:
  enum Rank { Ends, Closes, Target, Replaces, Opens, Folds };
  struct Edit {
    unsigned First, Last;
    Rank Where;
    uint32_t Depth;
    uint64_t Sub;
    std::string Text;
  };
  void add(Edit E) {
    All.push_back(std::move(E));
    Sorted = false;
  }
  void sort();
  std::vector<Edit> All;
  bool Sorted = true;
};

} // namespace sis

#endif
