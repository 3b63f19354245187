// The graph of transactions: edges in the order in which they come up, and which of them close a cycle.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/violation.hpp"

namespace heddle::engine {

// Names a transaction, also when it is gone. 0: none.
using Transaction = u64;  // generation:32 | index+1:32

// Why one comes before the other. No site: because of tasks, not of memory.
struct Conflict {
  Side from, to;
};

class Transactions {
 public:
  Transaction begin();
  // Nothing leads to it from now on: edges lead to what is running.
  void end(Transaction transaction);

  // The later one is running. If it leads to the earlier one already, the edge is not made, and the answer is the
  // first edge of the way.
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
