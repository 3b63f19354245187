#include "engine/velodrome/velodrome.hpp"

#include <algorithm>

#include "engine/access_kind.hpp"
#include "engine/entry_list.hpp"
#include "engine/paged.hpp"
#include "engine/velodrome/transactions.hpp"

namespace heddle::engine {
namespace {

// The last write of these bytes, or a read since.
struct Entry {
  u64 bytes = 0;
  Transaction by = 0;
  u32 site = 0;
  Kind kind = Kind::kRead;
};
using Block = EntryList<Entry>;

class VelodromeEngine final : public CoreEngine<VelodromeEngine> {
 public:
  explicit VelodromeEngine(const Options& options) : options_(options) { start(0); }

  void add(const event::Event& event) override {
    if (event::ends_step(event)) next_step(index_of(event::task_of(event)));
    CoreEngine::add(event);
  }
  bool done() const override { return options_.first_race && !violations.empty(); }
  usize memory_used() const override { return shadow_.memory(); }
  std::vector<Counter> counters() const override {
    return {{"accesses", accesses_}, {"transactions", graph_.made()}, {"most at once", graph_.most_alive()}};
  }

 private:
  friend class CoreEngine<VelodromeEngine>;

  Transaction& current(TaskIndex task) {
    if (task >= current_.size()) current_.resize(task + 1);
    return current_[task];
  }
  void start(TaskIndex task) { current(task) = graph_.begin(); }
  void next_step(TaskIndex task) {
    const Transaction last = current(task), next = graph_.begin();
    graph_.add_edge(last, next, {});
    graph_.end(last);
    current(task) = next;
  }

  void fork(TaskIndex task, TaskIndex child) override {
    start(child);
    graph_.add_edge(current(task), current(child), {});
    next_step(task);
  }
  void join(TaskIndex task, TaskIndex child) override {
    graph_.add_edge(current(child), current(task), {});
    graph_.end(current(child));
  }
  void signal(TaskIndex task, ObjectIndex object, bool replace) override {
    auto& known = knowledge(object);
    if (replace) known.clear();
    // Searched when the number has doubled.
    if (known.size() >= 64 && (known.size() & (known.size() - 1)) == 0)
      std::erase_if(known, [&](Transaction earlier) { return graph_.is_gone(earlier); });
    known.push_back(current(task));
    next_step(task);
  }
  void await(TaskIndex task, ObjectIndex object) override {
    next_step(task);
    for (Transaction known : knowledge(object)) graph_.add_edge(known, current(task), {});
  }
  void forget(ObjectIndex object) override { knowledge(object).clear(); }
  void acquire(TaskIndex, u32, bool) override {}
  void release(TaskIndex, u32, bool) override {}
  void new_memory(TaskIndex, u64 address, u64 size) override {
    shadow_.for_range(address, size, [](Block& block, u64, u64 bytes) { block.clear(bytes); });
  }

  void touch(TaskIndex task, const Access& a) {
    ++accesses_;
    for_each_block(a.address, a.size, [&](u64 base, u64 bytes) {
      touch_block({bytes, current(task), a.site, kind_of(a.write, a.atomic)}, shadow_[base], base);
    });
  }

  void touch_block(Entry now, Block& block, u64 base) {
    for (Entry* earlier = block.begin(); earlier != block.end();) {
      const u64 both = earlier->bytes & now.bytes;
      if (both && earlier->by != now.by && (writes(earlier->kind) || writes(now.kind))) {
        const Side from = side(earlier->site, earlier->kind), to = side(now.site, now.kind);
        if (auto way = graph_.add_edge(earlier->by, now.by, {from, to}))
          violations.add(way->from, way->to, to, base, both);
      }
      // Later accesses conflict with the write, and a read adds nothing to the same step's earlier access.
      if (writes(now.kind)) earlier->bytes &= ~both;
      if (!writes(now.kind) && earlier->by == now.by) now.bytes &= ~both;
      if (earlier->bytes == 0)
        block.remove(earlier);
      else
        ++earlier;
    }
    if (now.bytes) block.add(now);
  }

  std::vector<Transaction>& knowledge(ObjectIndex object) {
    if (object >= objects_.size()) objects_.resize(object + 1);
    return objects_[object];
  }

  Options options_;
  Transactions graph_;
  mutable EntryLog<Entry> shadow_;
  std::vector<Transaction> current_;               // by task
  std::vector<std::vector<Transaction>> objects_;  // that have signalled
  u64 accesses_ = 0;
};

}  // namespace

std::unique_ptr<Engine> make_velodrome(const Options& options) {
  return std::make_unique<VelodromeEngine>(options);
}

}  // namespace heddle::engine
