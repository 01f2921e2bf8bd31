// edits.h - insertions into and replacements of a text: collected in any order, applied once.
//
// At one offset the order is: the end of a fold that is written out, what closes (innermost first),
// replacements, what opens (outermost first), folds. An edit inside replaced text is a conflict, and
// conflicts fail.
#ifndef SIS_FRONTEND_EDITS_H
#define SIS_FRONTEND_EDITS_H

#include <cstdint>
#include <string>
#include <vector>

namespace sis {

class Edits {
public:
  /// Depth: number of the region, an outer one's is smaller.
  void open(unsigned Offset, uint32_t Depth, std::string Text) { add(Offset, Offset, Opens, Depth, Text); }
  void close(unsigned Offset, uint32_t Depth, std::string Text) { add(Offset, Offset, Closes, ~Depth, Text); }
  void replace(unsigned First, unsigned Last, std::string Text) { add(First, Last, Replaces, 0, Text); }
  /// A fold's begin, or all of it; and its end.
  void fold(unsigned First, unsigned Last, std::string Text) { add(First, Last, Folds, 0, Text); }
  void unfolded(unsigned Offset, std::string Text) { add(Offset, Offset, Ends, 0, Text); }

  /// Whether an edit lies strictly inside.
  bool anyInside(unsigned First, unsigned Last);

  /// Result is Text from offset Start on, edited. On a conflict: false, and where.
  bool apply(const std::string &Text, unsigned Start, std::string &Result, unsigned &ConflictAt);

private:
  enum Rank { Ends, Closes, Replaces, Opens, Folds };
  struct Edit {
    unsigned First, Last;
    Rank Where;
    uint32_t Order;
    std::string Text;
  };
  void add(unsigned First, unsigned Last, Rank Where, uint32_t Order, std::string &Text) {
    All.push_back({First, Last, Where, Order, std::move(Text)});
    Sorted = false;
  }
  void sort();
  std::vector<Edit> All;
  bool Sorted = true;
};

} // namespace sis

#endif
