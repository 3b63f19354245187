#include "engine/velodrome/transactions.hpp"

#include <algorithm>

namespace heddle::engine {
namespace {

u32 index_in(Transaction transaction) { return static_cast<u32>(transaction) - 1; }

}  // namespace

Transaction Transactions::begin() {
  if (free_.empty()) {
    free_.push_back(static_cast<u32>(nodes_.size()));
    nodes_.emplace_back();
  }
  const u32 index = free_.back();
  free_.pop_back();
  nodes_[index].over = false;
  ++made_;
  most_alive_ = std::max(most_alive_, ++alive_);
  return u64{nodes_[index].generation} << 32 | (index + 1);
}

Transactions::Node* Transactions::find(Transaction transaction) {
  if (transaction == 0) return nullptr;
  Node& node = nodes_[index_in(transaction)];
  return node.generation == transaction >> 32 ? &node : nullptr;
}

void Transactions::end(Transaction transaction) {
  if (Node* node = find(transaction)) {
    node->over = true;
    collect(index_in(transaction));
  }
}

std::optional<Conflict> Transactions::add_edge(Transaction earlier, Transaction later,
                                               const Conflict& conflict) {
  Node *from = find(earlier), *to = find(later);
  if (!from || !to || from == to) return std::nullopt;
  const u32 source = index_in(earlier), target = index_in(later);
  if (from->successors.contains(target)) return std::nullopt;
  for (const auto& [next, first] : to->successors)
    if (reaches(next, source)) return first;
  from->successors.emplace(target, conflict);
  ++to->incoming;
  return std::nullopt;
}

bool Transactions::reaches(u32 from, u32 to) {
  ++visits_;
  stack_.assign(1, from);
  while (!stack_.empty()) {
    const u32 index = stack_.back();
    stack_.pop_back();
    if (index == to) return true;
    if (nodes_[index].visit == visits_) continue;
    nodes_[index].visit = visits_;
    for (const auto& [next, conflict] : nodes_[index].successors) stack_.push_back(next);
  }
  return false;
}

void Transactions::collect(u32 index) {
  std::vector<u32> gone = {index};
  while (!gone.empty()) {
    const u32 at = gone.back();
    gone.pop_back();
    Node& node = nodes_[at];
    if (!node.over || node.incoming > 0) continue;
    for (const auto& [next, conflict] : node.successors)
      if (--nodes_[next].incoming == 0) gone.push_back(next);
    node.successors.clear();
    ++node.generation;
    --alive_;
    free_.push_back(at);
  }
}

}  // namespace heddle::engine
