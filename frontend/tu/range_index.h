/* SPDX-License-Identifier: BSD-3-Clause */
// range_index.h - finds entries whose key is in a range and whose value is at least a given one, in
// logarithmic time per entry found.
//
// Entries are sorted by key. A tree over the entries holds the greatest value below each of its
// nodes. To find small values, add negated ones.
#ifndef SIS_FRONTEND_RANGE_INDEX_H
#define SIS_FRONTEND_RANGE_INDEX_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sis {

class RangeIndex {
public:
  void add(int64_t Key, int64_t Value, uint32_t Number) { All.push_back({Key, Value, Number}); }

  /// Called after the last add.
  void finish() {
    std::stable_sort(All.begin(), All.end(),
                     [](const Entry &A, const Entry &B) { return A.Key < B.Key; });
    for (Leaves = 1; Leaves < All.size();)
      Leaves *= 2;
    Greatest.assign(2 * Leaves, INT64_MIN);
    for (size_t I = 0; I < All.size(); ++I)
      Greatest[Leaves + I] = All[I].Value;
    for (size_t Node = Leaves; --Node;)
      Greatest[Node] = std::max(Greatest[2 * Node], Greatest[2 * Node + 1]);
  }

  /// Removes an entry. Key and value must be those of its add.
  void remove(int64_t Key, int64_t Value, uint32_t Number) {
    size_t Node = Leaves + from(Key);
    while (Node < Leaves + All.size() && !(All[Node - Leaves] == Entry{Key, Value, Number}))
      ++Node;
    if (Node == Leaves + All.size())
      return;
    for (Greatest[Node] = INT64_MIN; Node /= 2;)
      Greatest[Node] = std::max(Greatest[2 * Node], Greatest[2 * Node + 1]);
  }

  /// Calls Visit(Number) for entries with First <= key < Last and value >= Least, by increasing
  /// key, until Visit returns true. Returns whether it did.
  template <typename F> bool visit(int64_t First, int64_t Last, int64_t Least, F Visit) const {
    return !All.empty() && below(1, 0, Leaves, from(First), from(Last), Least, false, Visit);
  }
  /// The same by decreasing key.
  template <typename F> bool visitBack(int64_t First, int64_t Last, int64_t Least, F Visit) const {
    return !All.empty() && below(1, 0, Leaves, from(First), from(Last), Least, true, Visit);
  }

private:
  struct Entry {
    int64_t Key, Value;
    uint32_t Number;
    bool operator==(const Entry &E) const {
      return Key == E.Key && Value == E.Value && Number == E.Number;
    }
  };
  size_t from(int64_t Key) const {
    return std::partition_point(All.begin(), All.end(),
                                [&](const Entry &E) { return E.Key < Key; }) -
           All.begin();
  }
  /// The search below one node, which stands for entries [Begin, End).
  template <typename F>
  bool below(size_t Node, size_t Begin, size_t End, size_t First, size_t Last, int64_t Least,
             bool Back, F &Visit) const {
    if (Begin >= Last || End <= First || Greatest[Node] == INT64_MIN || Greatest[Node] < Least)
      return false;
    if (End - Begin == 1)
      return Visit(All[Begin].Number);
    size_t Middle = (Begin + End) / 2;
    for (bool Right : {Back, !Back})
      if (Right ? below(2 * Node + 1, Middle, End, First, Last, Least, Back, Visit)
                : below(2 * Node, Begin, Middle, First, Last, Least, Back, Visit))
        return true;
    return false;
  }

  std::vector<Entry> All;
  std::vector<int64_t>
      Greatest; // by node; the root is 1, below a node are 2 * node and 2 * node + 1
  size_t Leaves = 0;
};

/// A set of extents. Finds the extents that overlap a given extent: exactly one of their two ends
/// is inside the given extent.
class OverlapIndex {
public:
  void add(unsigned First, unsigned Last, uint32_t Number) {
    Begins.add(First, Last, Number);
    Ends.add(Last, -int64_t(First), Number);
  }
  void finish() {
    Begins.finish();
    Ends.finish();
  }
  void remove(unsigned First, unsigned Last, uint32_t Number) {
    Begins.remove(First, Last, Number);
    Ends.remove(Last, -int64_t(First), Number);
  }
  /// Calls Visit(Number) for each extent that overlaps [First, Last), until Visit returns true.
  /// Returns whether it did.
  template <typename F> bool visit(unsigned First, unsigned Last, F Visit) const {
    int64_t A = First, B = Last;
    return Begins.visit(A + 1, B, B + 1, Visit) || Ends.visit(A + 1, B, 1 - A, Visit);
  }

private:
  RangeIndex Begins, Ends;
};

} // namespace sis

#endif
