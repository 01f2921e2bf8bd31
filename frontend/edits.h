// edits.h - insertions into and replacements of a text: collected in any order, applied once.
//
// At one offset the order is: what closes (innermost first), replacements, what opens (outermost
// first). An edit inside replaced text is a conflict, and conflicts fail.
#ifndef SIS_FRONTEND_EDITS_H
#define SIS_FRONTEND_EDITS_H

#include <cstdint>
#include <string>
#include <vector>

namespace sis {

class Edits {
public:
  /// Depth: number of the region, an outer one's is smaller.
  void open(unsigned Offset, uint32_t Depth, std::string Text) { add(Offset, Offset, 2, Depth, Text); }
  void close(unsigned Offset, uint32_t Depth, std::string Text) { add(Offset, Offset, 0, ~Depth, Text); }
  void replace(unsigned First, unsigned Last, std::string Text) { add(First, Last, 1, 0, Text); }

  /// Result is Text from offset Start on, edited. On a conflict: false, and where.
  bool apply(const std::string &Text, unsigned Start, std::string &Result, unsigned &ConflictAt);

private:
  struct Edit {
    unsigned First, Last, Rank;
    uint32_t Order;
    std::string Text;
  };
  void add(unsigned First, unsigned Last, unsigned Rank, uint32_t Order, std::string &Text) {
    All.push_back({First, Last, Rank, Order, std::move(Text)});
  }
  std::vector<Edit> All;
};

} // namespace sis

#endif
