#include "engine/lockset/lockset.hpp"

#include <algorithm>

#include "engine/access_kind.hpp"
#include "engine/entry_list.hpp"
#include "engine/locksets.hpp"
#include "engine/paged.hpp"
#include "engine/thread_order.hpp"

namespace heddle::engine {
namespace {

struct Entry {
  u64 bytes = 0;
  Epoch epoch = 0;
  u32 site = 0;
  Lockset locks = 0;
  Kind kind = Kind::kRead;
  u32 bound_to = 0;
};
using Block = EntryList<Entry>;

template <class Order>
class LocksetEngine final : public OrderedEngine<LocksetEngine<Order>, Order> {
 public:
  explicit LocksetEngine(const Options& options)
      : OrderedEngine<LocksetEngine<Order>, Order>(/*with_locks=*/false), options_(options) {}

  bool done() const override { return options_.first_race && !this->races.empty(); }
  usize memory_used() const override { return shadow_.memory(); }
  std::vector<Counter> counters() const override {
    return {{"accesses", accesses_},
            {"repeated", repeated_},
            {"locksets", locksets_.count()},
            {"chains", order_.chains()}};
  }

 private:
  friend class CoreEngine<LocksetEngine<Order>>;
  using OrderedEngine<LocksetEngine<Order>, Order>::order_;

  void fork(TaskIndex task, TaskIndex child) override {
    order_.fork(task, child);
    held(child) = 0;
  }
  void acquire(TaskIndex task, u32 lock, bool write) override {
    held(task) = locksets_.with(held(task), lock, write);
  }
  void release(TaskIndex task, u32 lock, bool) override { held(task) = locksets_.without(held(task), lock); }

  HEDDLE_INLINE void touch(TaskIndex task, const Access& a) {
    ++accesses_;
    Entry now{0, order_.now(task), a.site, held(task), kind_of(a.write, a.atomic), a.bound_to};
    for_each_block(a.address, a.size, [&](u64 base, u64 bytes) {
      now.bytes = bytes;
      judge(task, now, shadow_[base], base);
    });
  }

  void new_memory(TaskIndex, u64 address, u64 size) override {
    shadow_.for_range(address, size, [](Block& block, u64, u64 bytes) { block.clear(bytes); });
  }

  // Every later access that races with b races with a, too, if b happens before a or both are of one epoch.
  bool stands_for(const Entry& a, const Entry& b) {
    return covers(a.kind, b.kind) && (a.bound_to == 0 || a.bound_to == b.bound_to) &&
           locksets_.subset(a.locks, b.locks);
  }

  void judge(TaskIndex task, Entry now, Block& block, u64 base) {
    now.bytes &= ~block.racy;
    for (const Entry& entry : block)
      if (entry.epoch == now.epoch && (entry.bytes & now.bytes) && stands_for(entry, now))
        now.bytes &= ~entry.bytes;
    if (now.bytes == 0) {
      ++repeated_;
      return;
    }
    for (Entry* earlier = block.begin(); earlier != block.end();) {
      u64 both = earlier->bytes & now.bytes;
      if (both && order_.before(earlier->epoch, task)) {
        if (stands_for(now, *earlier)) earlier->bytes &= ~both;
        if (earlier->bytes == 0) {
          block.remove(earlier);
          continue;
        }
      } else if (both && conflict(earlier->kind, now.kind) &&
                 !(now.bound_to && now.bound_to == earlier->bound_to) &&
                 !locksets_.exclude_each_other(earlier->locks, now.locks)) {
        block.racy |= both;
        now.bytes &= ~both;
        this->races.add(side(earlier->site, earlier->kind), side(now.site, now.kind), base, both);
      }
      ++earlier;
    }
    if (now.bytes == 0) return;
    for (Entry& entry : block)
      if (entry.epoch == now.epoch && entry.kind == now.kind && entry.site == now.site &&
          entry.locks == now.locks && entry.bound_to == now.bound_to) {
        entry.bytes |= now.bytes;
        return;
      }
    block.add(now);
  }

  Lockset& held(TaskIndex task) {
    if (task >= held_.size()) held_.resize(task + 1);
    return held_[task];
  }

  Options options_;
  mutable EntryLog<Entry> shadow_;
  Locksets locksets_;
  std::vector<Lockset> held_;
  u64 accesses_ = 0, repeated_ = 0;
};

}  // namespace

std::unique_ptr<Engine> make_lockset(const Options& options) {
  if (options.on_threads) return std::make_unique<LocksetEngine<ThreadOrder>>(options);
  return std::make_unique<LocksetEngine<HappensBefore>>(options);
}

}  // namespace heddle::engine
