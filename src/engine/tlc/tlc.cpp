#include "engine/tlc/tlc.hpp"

#include "engine/access_kind.hpp"
#include "engine/entry_list.hpp"
#include "engine/paged.hpp"
#include "engine/tlc/one_window.hpp"
#include "engine/tlc/window_lists.hpp"

namespace heddle::engine {
namespace {

// An entry of the access log.
struct Entry {
  u64 bytes = 0;
  u32 thread = 0, time = 0;
  u32 site = 0;
  Kind kind = Kind::kRead;
  u32 bound_to = 0;
};
using Block = EntryList<Entry>;

template <class Order>
class Tlc final : public OrderedEngine<Tlc<Order>, Order> {
 public:
  explicit Tlc(const Options& options) : options_(options) {}

  bool done() const override { return options_.first_race && !this->races.empty(); }
  usize memory_used() const override { return log_.memory(); }
  std::vector<Counter> counters() const override {
    return {{"accesses", accesses_}, {"repeated", repeated_}};
  }

 private:
  friend class CoreEngine<Tlc<Order>>;

  using OrderedEngine<Tlc<Order>, Order>::order_;

  HEDDLE_INLINE void touch(TaskIndex task, const Access& a) {
    ++accesses_;
    order_.enter(task);
    Entry now{0, order_.thread(task), order_.now(task), a.site, kind_of(a.write, a.atomic), a.bound_to};
    for_each_block(a.address, a.size, [&](u64 base, u64 bytes) {
      now.bytes = bytes;
      judge(task, now, log_[base], base);
    });
  }

  // Wipes the log of the range.
  void new_memory(TaskIndex, u64 address, u64 size) override {
    log_.for_range(address, size, [](Block& block, u64, u64 bytes) { block.clear(bytes); });
  }

  static bool same_moment(const Entry& a, const Entry& b) { return a.thread == b.thread && a.time == b.time; }
  static bool stands_for(const Entry& a, const Entry& b) {
    return covers(a.kind, b.kind) && (a.bound_to == 0 || a.bound_to == b.bound_to);
  }

  void judge(TaskIndex task, Entry now, Block& block, u64 base) {
    now.bytes &= ~block.racy;
    for (const Entry& entry : block)
      if (same_moment(entry, now) && stands_for(entry, now)) now.bytes &= ~entry.bytes;
    if (now.bytes == 0) {
      ++repeated_;
      return;
    }
    for (Entry* earlier = block.begin(); earlier != block.end();) {
      u64 both = earlier->bytes & now.bytes;
      if (both && !order_.concurrent(earlier->thread, earlier->time, task)) {
        if (stands_for(now, *earlier)) earlier->bytes &= ~both;
        if (earlier->bytes == 0) {
          block.remove(earlier);
          continue;
        }
      } else if (both && conflict(earlier->kind, now.kind) &&
                 !(now.bound_to && now.bound_to == earlier->bound_to)) {
        block.racy |= both;
        now.bytes &= ~both;
        this->races.add(side(earlier->site, earlier->kind), side(now.site, now.kind), base, both);
      }
      ++earlier;
    }
    if (now.bytes == 0) return;
    for (Entry& entry : block)
      if (same_moment(entry, now) && entry.kind == now.kind && entry.site == now.site &&
          entry.bound_to == now.bound_to) {
        entry.bytes |= now.bytes;
        return;
      }
    block.add(now);
  }

  Options options_;
  mutable EntryLog<Entry> log_;
  u64 accesses_ = 0, repeated_ = 0;
};

}  // namespace

std::unique_ptr<Engine> make_tlc(const Options& options) {
  if (options.exact) return std::make_unique<Tlc<tlc::WindowLists>>(options);
  return std::make_unique<Tlc<tlc::OneWindow>>(options);
}

}  // namespace heddle::engine
