// The graph of transactions: edges in the order of their creation, and those that close a cycle.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/violation.hpp"

namespace heddle::engine {

// Identifies a transaction, also after it was removed. 0: none.
using Transaction = u64;  // generation:32 | index+1:32

// The reason of an edge. No site: by tasks, not by memory.
struct Conflict {
  Side from, to;
};

class Transactions {
 public:
  Transaction begin();
  // No more edges lead to it: edges lead to running transactions only.
  void end(Transaction transaction);

  // The later one is running. If a path leads from it to the earlier one, the edge is not added, and the result is
  // the first edge of the path.
  std::optional<Conflict> add_edge(Transaction earlier, Transaction later, const Conflict& conflict);

  bool is_gone(Transaction transaction) { return !find(transaction); }

  u64 made() const { return made_; }
  usize alive() const { return alive_; }
  usize most_alive() const { return most_alive_; }

 private:
  struct Node {
    u32 generation = 0;
    u32 incoming = 0;
    bool over = true;
    u64 visit = 0;
    std::unordered_map<u32, Conflict> successors;  // by index
  };

  Node* find(Transaction transaction);
  bool reaches(u32 from, u32 to);
  void collect(u32 index);

  std::vector<Node> nodes_;
  std::vector<u32> free_;
  std::vector<u32> stack_;
  u64 visits_ = 0, made_ = 0;
  usize alive_ = 0, most_alive_ = 0;
};

}  // namespace heddle::engine
