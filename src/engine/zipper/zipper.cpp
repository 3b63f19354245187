#include "engine/zipper/zipper.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "engine/zipper/access_sets.hpp"
#include "engine/zipper/greedy.hpp"
#include "engine/zipper/sections.hpp"

namespace heddle::engine {
namespace {

class Zipper final : public CoreEngine<Zipper> {
 public:
  explicit Zipper(const Options& options) : options_(options), order_(/*with_locks=*/!options.weak_order) {}
  ~Zipper() override {
    sets_.for_each([](Block& block, u64) { block.destroy(); });
  }

  Sink& sink() { return *this; }

  void finish() override {
    for (TaskIndex task = 0; task < nodes_.size(); ++task) end_node(task);
  }
  bool done() const override { return options_.first_race && !races.empty(); }
  usize memory_used() const override {
    usize bytes = sets_.memory();
    sets_.for_each([&](const Block& block, u64) { bytes += block.memory(); });
    return bytes;
  }
  std::vector<Counter> counters() const override {
    return {{"accesses", accesses_},
            {"nodes", ended_},
            {"blocks checked", checked_},
            {"intersections", intersections_},
            {"chains", order_.chains()}};
  }

 private:
  friend class CoreEngine<Zipper>;

  struct Touched {
    Block* block;
    u64 base;
  };
  // The running node of a task: the blocks that it has touched.
  struct Node {
    std::vector<Touched> touched;
  };

  Node& node(TaskIndex task) {
    if (task >= nodes_.size()) nodes_.resize(task + 1);
    return nodes_[task];
  }

  // --- synchronisation: the task's node ends, then the order changes

  void fork(TaskIndex task, TaskIndex child) override {
    end_node(task);
    if (alone()) bury();
    ++live_;
    order_.fork(task, child);
    node(child);
  }
  void end(TaskIndex task) override { end_node(task); }
  void join(TaskIndex task, TaskIndex child) override {
    end_node(task);
    end_node(child);
    --live_;
    order_.join(task, child);
    order_.tick(task);
  }
  void signal(TaskIndex task, ObjectIndex object, bool replace) override {
    end_node(task);
    order_.signal(task, object, replace);
  }
  void await(TaskIndex task, ObjectIndex object) override {
    if (!weak() && !order_.would_await(task, object)) return;
    end_node(task);
    order_.await(task, object);
    order_.tick(task);
  }
  void forget(ObjectIndex object) override { order_.forget(object); }
  void acquire(TaskIndex task, u32 lock, bool write) override {
    if (!weak() && !order_.would_acquire(task, lock, write)) return;
    end_node(task);
    if (weak()) sections_.acquire(task, lock, write);
    order_.acquire(task, lock, write);
    order_.tick(task);
  }
  void release(TaskIndex task, u32 lock, bool write) override {
    end_node(task);
    if (weak()) {
      sections_.release(task, lock, order_.snapshot(task));
      order_.tick(task);
    } else {
      order_.release(task, lock, write);
    }
  }
  bool weak() const { return options_.weak_order; }

  // --- access sets

  HEDDLE_INLINE void touch(TaskIndex task, const Access& a) {
    ++accesses_;
    if (alone() && !weak()) return;  // all later accesses come after it
    const u32 offset = static_cast<u32>(a.address % kBlockBytes);
    if (HEDDLE_LIKELY(offset + a.size <= kBlockBytes))
      return mark(task, a, sets_[a.address], a.address - offset, bytes_mask(offset, a.size));
    touch_several(task, a);
  }
  HEDDLE_NOINLINE void touch_several(TaskIndex task, const Access& a) {
    for_each_block(a.address, a.size, [&](u64 base, u64 bytes) { mark(task, a, sets_[base], base, bytes); });
  }

  // The access repeats the entry, or extends it.
  static HEDDLE_INLINE bool absorbs(Entry* entry, const Entry& now) {
    if (!entry || entry->node != now.node) return false;
    if ((now.bytes & ~entry->bytes) == 0 && stands_for(entry->kind, entry->bound_to, now)) return true;
    if (entry->site != now.site || entry->kind != now.kind || entry->bound_to != now.bound_to) return false;
    entry->bytes |= now.bytes;
    return true;
  }

  HEDDLE_INLINE void mark(TaskIndex task, const Access& a, Block& block, u64 base, u64 bytes) {
    const Entry now{bytes, order_.now(task), a.site, kind_of(a.write, a.atomic),
                    static_cast<u16>(a.bound_to)};
    if (a.write) {
      block.written |= bytes;
      if (absorbs(block.newest_write(), now)) return;
    } else if (absorbs(block.newest_read(), now) || absorbs(block.newest_write(), now)) {
      return;
    }
    insert(task, now, block, base);
  }

  // Looks for an entry of the node that absorbs the access among the last few: others come between only if tasks
  // alternate, and then a second entry for the same site does no harm; check() merges both.
  HEDDLE_NOINLINE void insert(TaskIndex task, Entry now, Block& block, u64 base) {
    if (!weak()) now.bytes &= ~block.racy();  // for sections a raced byte is a conflict as any other
    if (now.bytes == 0) return;
    constexpr u32 kLook = 12;  // sites that a block of 64 bytes usually has
    bool touched = false;
    Entry* const first = block.begin();
    Entry* const first_read = first + block.writes();
    auto look = [&](Entry* from, Entry* entry) {
      if (entry - from > kLook && !block.crowded()) from = entry - kLook;
      while (entry-- != from) {
        touched |= entry->node == now.node;
        if (absorbs(entry, now)) return true;
      }
      return false;
    };
    if (look(first, first_read)) return;
    if (!writes(now.kind) || !touched)
      if (look(first_read, block.end())) return;
    block.add(now);
    if (!touched) nodes_[task].touched.push_back({&block, base});
  }

  void end_node(TaskIndex task) {
    if (task >= nodes_.size() || nodes_[task].touched.empty()) return;
    ++ended_;
    if (weak() && sections_.inside(task)) follow_sections(task);
    const Epoch now = order_.now(task);
    for (const Touched& touched : nodes_[task].touched) check(task, now, *touched.block, touched.base);
    nodes_[task].touched.clear();
  }

  // The node happens after the sections that it conflicts with.
  void follow_sections(TaskIndex task) {
    const Epoch now = order_.now(task);
    order::Clock after;
    for (const Touched& touched : nodes_[task].touched) {
      u64 read = 0, write = 0;
      for (const Entry& entry : *touched.block)
        if (entry.node == now) (writes(entry.kind) ? write : read) |= entry.bytes;
      sections_.touch(task, touched.base, read, write, after);
    }
    order_.acquire_clock(task, after);
  }

  // The node's entries against all others of the block.
  void check(TaskIndex task, Epoch now, Block& block, u64 base) {
    if (block.count() == 1 || (!block.written && !block.crowded())) return;
    ++checked_;
    if (block.crowded()) compact(block);
    collect(now, block);
    u64 read = 0, write = 0;
    for (const Entry& entry : mine_) (writes(entry.kind) ? write : read) |= entry.bytes;
    const u64 all = read | write;
    u64 written = 0;
    for (u32 i = 0; i < block.count();) {  // by number: a race may move the entries
      Entry& other = block.begin()[i];
      if (other.node != now) {
        if (is_dead(other.node)) {
          other.bytes = 0;
        } else if (other.bytes & all) {
          if (order_.before(other.node, task)) {
            for (const Entry& entry : mine_)
              if (stands_for(entry.kind, entry.bound_to, other)) other.bytes &= ~entry.bytes;
          } else if (other.bytes & (writes(other.kind) ? all : write)) {
            intersect(Entry(other), block, base);
          }
        }
      }
      Entry& same = block.begin()[i];
      if (same.bytes == 0) {
        block.remove(&same);
        continue;
      }
      if (writes(same.kind)) written |= same.bytes;
      ++i;
    }
    block.written = written;
    block.set_crowd();
  }

  // Within each chain, later entries take over the bytes of earlier ones that they cover: then the number of a
  // block's entries per chain is bounded by bytes, kinds and bound threads, however long the history is.
  void compact(Block& block) {
    by_chain_.clear();
    for (u32 i = 0; i < block.count(); ++i) by_chain_.push_back({block.begin()[i].node, i});
    std::sort(by_chain_.begin(), by_chain_.end(), std::greater<>());  // by chain, the latest first
    for (usize i = 0; i < by_chain_.size(); ++i) {
      const Entry& later = block.begin()[by_chain_[i].second];
      for (usize j = i + 1; later.bytes && j < by_chain_.size(); ++j) {
        Entry& earlier = block.begin()[by_chain_[j].second];
        if (chain_of(earlier.node) != chain_of(later.node)) break;
        if (earlier.node != later.node && stands_for(later.kind, later.bound_to, earlier))
          earlier.bytes &= ~later.bytes;
      }
    }
    for (u32 i = 0; i < block.count();) {
      Entry& entry = block.begin()[i];
      if (entry.bytes == 0 || is_dead(entry.node))
        block.remove(&entry);
      else
        ++i;
    }
  }

  static bool same_site(const Entry& a, const Entry& b) {
    return a.site == b.site && a.kind == b.kind && a.bound_to == b.bound_to;
  }
  // Fills mine_ with the entries of the node, and merges those of the same site.
  void collect(Epoch now, Block& block) {
    mine_.clear();
    bool doubles = false;
    for (u32 i = 0; i < block.count();) {
      Entry& entry = block.begin()[i];
      if (entry.node == now) {
        auto known = std::find_if(mine_.begin(), mine_.end(),
                                  [&](const Entry& each) { return same_site(each, entry); });
        if (known != mine_.end()) {
          known->bytes |= entry.bytes;
          block.remove(&entry);
          doubles = true;
          continue;
        }
        mine_.push_back(entry);
      }
      ++i;
    }
    if (!doubles) return;
    for (Entry& entry : block)
      for (const Entry& each : mine_)
        if (entry.node == now && same_site(entry, each)) entry.bytes = each.bytes;
  }

  void intersect(const Entry& other, Block& block, u64 base) {
    ++intersections_;
    u64 found = 0;
    for (const Entry& entry : mine_) {
      if (!conflict(entry, other)) continue;
      u64 both = entry.bytes & other.bytes & ~(block.racy() | found);
      if (!both) continue;
      found |= both;
      races.add(side(other.site, other.kind), side(entry.site, entry.kind), base, both);
    }
    if (found) block.set_racy(found);
  }

  // --- entries that can no longer be concurrent with anything

  // One task runs, and all others that ever ran are joined into it.
  bool alone() const { return live_ == 1; }
  bool is_dead(Epoch node) const {
    return chain_of(node) < dead_until_.size() && time_of(node) <= dead_until_[chain_of(node)];
  }
  // The quiescent phase ends: all past accesses happen before all future ones.
  void bury() {
    dead_until_.resize(order_.chains());
    for (u32 chain = 0; chain < order_.chains(); ++chain) dead_until_[chain] = order_.last_time(chain);
  }

  // Unchecked entries of these blocks are checked now: they can race with the past, but not with later accesses.
  void new_memory(TaskIndex, u64 address, u64 size) override {
    sets_.for_range(address, size, [&](Block& block, u64 base, u64 bytes) {
      if (block.count() > 1) check_open_nodes(block, base);
      block.clear(bytes);
      if (weak()) sections_.new_memory(base, bytes);
    });
  }

  void check_open_nodes(Block& block, u64 base) {
    open_.clear();
    for (const Entry& entry : block) {
      TaskIndex owner = order_.holder(chain_of(entry.node));
      if (owner != kNobody && order_.now(owner) == entry.node) open_.push_back(owner);
    }
    for (TaskIndex owner : open_) {
      if (weak() && sections_.inside(owner)) follow_sections(owner);
      check(owner, order_.now(owner), block, base);
    }
  }

  static constexpr TaskIndex kNobody = ~u32{0};

  Options options_;
  HappensBefore order_;
  Sections sections_;  // only for the weaker order
  mutable Paged<Block> sets_;
  std::vector<Node> nodes_ = std::vector<Node>(1);
  std::vector<Entry> mine_;  // of the node that is being checked
  std::vector<TaskIndex> open_;
  std::vector<std::pair<Epoch, u32>> by_chain_;  // of the block that is being compacted
  std::vector<u32> dead_until_;                  // by chain
  u32 live_ = 1;                                 // tasks that have not been joined
  u64 accesses_ = 0, ended_ = 0, checked_ = 0, intersections_ = 0;
};

// Keeps the history until its end, and gives it to the engine in greedy-scheduled order.
class GreedyZipper final : public OrderedEngine<GreedyZipper, CoreRecorder> {
 public:
  explicit GreedyZipper(const Options& options) : zipper_(options) {}

  void finish() override {
    zipper_.races = std::move(races);
    for (const CoreEvent& event : greedy_order(order_.events)) {
      if (zipper_.done()) break;
      play(event, zipper_.sink());
    }
    zipper_.finish();
    races = std::move(zipper_.races);
  }
  usize memory_used() const override {
    return order_.events.capacity() * sizeof(CoreEvent) + zipper_.memory_used();
  }
  std::vector<Counter> counters() const override { return zipper_.counters(); }

 private:
  friend class CoreEngine<GreedyZipper>;

  void touch(TaskIndex task, const Access& a) { order_.access(task, a); }
  void new_memory(TaskIndex task, u64 address, u64 size) override { order_.new_memory(task, address, size); }

  Zipper zipper_;
};

}  // namespace

std::unique_ptr<Engine> make_zipper(const Options& options) {
  if (options.greedy) return std::make_unique<GreedyZipper>(options);
  return std::make_unique<Zipper>(options);
}

}  // namespace heddle::engine
