#include "order/records.hpp"

#include "base/check.hpp"

namespace heddle::order {

Records::Records()
    : blocks_(static_cast<std::atomic<Task*>*>(memory::map(kBlocks * sizeof(std::atomic<Task*>)))) {}

Records::Fresh Records::take() {
  if (unused_count_.load(std::memory_order_relaxed)) {
    SpinGuard guard(unused_lock_);
    if (!unused_.empty()) {
      const TaskId id = unused_.back();
      unused_.pop_back();
      unused_count_.store(unused_.size(), std::memory_order_relaxed);
      used_again_.store(used_again_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
      Task* record = find(id);
      return {record, id, record->now + 1};
    }
  }
  const TaskId id = next_.fetch_add(1, std::memory_order_relaxed);
  if (id >= kBlock * (kBlocks - 1)) fatal("more than two thousand million tasks: task ids are used up");
  std::atomic<Task*>& block = blocks_[id / kBlock];
  if (!block.load(std::memory_order_acquire)) {
    SpinGuard guard(block_lock_);
    if (!block.load(std::memory_order_relaxed))
      block.store(static_cast<Task*>(memory::map_dense(kBlock * sizeof(Task))), std::memory_order_release);
  }
  return {find(id), id, 1};
}

void Records::begin() {
  ++collection_;
  limit_ = next_.load(std::memory_order_acquire);
  candidates_ = static_cast<u64*>(memory::allocate(bits_size()));
  named_ = static_cast<u64*>(memory::allocate(bits_size()));
  for (TaskId id = 1; id < limit_; ++id) {
    const Task* record = task(id);
    if (!record) continue;
    if (record->let_go.load(std::memory_order_acquire) && !record->kept.load(std::memory_order_relaxed))
      set(candidates_, id);
    for (Scope* scope = __atomic_load_n(&record->scopes, __ATOMIC_ACQUIRE); scope; scope = scope->older)
      if (scope->done.load(std::memory_order_acquire)) scope->done_in = collection_;
  }
}

void Records::name(Scope& scope) {
  for (Scope* around = &scope; around && around->named_in != collection_; around = around->outer) {
    around->named_in = collection_;
    name(around->owner->id);
    if (around->outer_children) name(*around->outer_children);
    if (Scope* enclosing = around->enclosing.load(std::memory_order_acquire)) name(*enclosing);
  }
}

void Records::finish() {
  for (TaskId id = 1; id < limit_; ++id) {
    const Task* record = task(id);
    if (!record || !stays(id)) continue;
    for (const Task* above = record->parent; above && above->id < limit_ && !test(named_, above->id);
         above = above->parent)
      set(named_, above->id);
  }
  for (TaskId id = 1; id < limit_; ++id) {
    const Task* record = task(id);
    if (!record || !stays(id)) continue;
    if (record->wait) name(*record->wait);
    if (record->group) name(*record->group);
  }
}

void Records::destroy(Scope* scope) {
  if (scope->inherited) memory::destroy(scope->inherited);
  memory::destroy(scope);
}

// The owner adds to the list's beginning, so the first one stays.
void Records::free_scopes(Task& owner) {
  Scope* scope = __atomic_load_n(&owner.scopes, __ATOMIC_ACQUIRE);
  while (scope && scope->older) {
    Scope* older = scope->older;
    if (older->done_in != collection_ || older->named_in == collection_) {
      scope = older;
      continue;
    }
    scope->older = older->older;
    destroy(older);
  }
}

void Records::free(usize work) {
  reuses_.store(reuses() + 1, std::memory_order_release);
  u32 freed = 0;
  SpinGuard guard(unused_lock_);
  for (TaskId id = 1; id < limit_; ++id) {
    Task* record = task(id);
    if (!record) continue;
    const bool unnamed = !stays(id);
    if (!unnamed || record->kept.load(std::memory_order_relaxed)) {
      // A report has just named it, by what the shadow had before. Nobody will ask about its order again, and its
      // scopes may go.
      if (unnamed) record->wait = record->group = nullptr;
      free_scopes(*record);
      continue;
    }
    while (Scope* scope = record->scopes) {
      record->scopes = scope->older;
      destroy(scope);
    }
    set_id(*record, 0);
    if (record->now >= kLastFirst) continue;
    unused_.push_back(id);
    ++freed;
  }
  unused_count_.store(unused_.size(), std::memory_order_relaxed);
  memory::release(candidates_, bits_size());
  memory::release(named_, bits_size());
  const usize worth = (limit_ + work) / 2;
  const usize least = worth > kLeast ? worth : kLeast;
  const usize at = next_.load(std::memory_order_relaxed) + (least > freed ? least - freed : 0);
  collect_at_.store(at < ~u32{0} ? static_cast<u32>(at) : ~u32{0}, std::memory_order_relaxed);
}

}  // namespace heddle::order
