#include "engine/zipper/zipper.hpp"

#include <algorithm>

#include "engine/zipper/access_sets.hpp"

namespace heddle::engine {
namespace {

class Zipper final : public CoreEngine<Zipper> {
 public:
  explicit Zipper(const Options& options) : options_(options) {}
  ~Zipper() override {
    sets_.for_each([](Block& block, u64) { block.destroy(); });
  }

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
    return {{"accesses", accesses_},      {"already in the set", repeated_}, {"nodes", ended_},
            {"blocks checked", checked_}, {"intersections", intersections_}, {"chains", order_.chains()}};
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
    order_.fork(task, child);
    node(child);
  }
  void end(TaskIndex task) override { end_node(task); }
  void join(TaskIndex task, TaskIndex child) override {
    end_node(task);
    end_node(child);
    order_.join(task, child);
    order_.tick(task);
  }
  void signal(TaskIndex task, ObjectIndex object, bool replace) override {
    end_node(task);
    order_.signal(task, object, replace);
  }
  void await(TaskIndex task, ObjectIndex object) override {
    if (!order_.would_learn(task, object)) return;
    end_node(task);
    order_.await(task, object);
    order_.tick(task);
  }
  void forget(ObjectIndex object) override { order_.forget(object); }
  void acquire(TaskIndex task, u32 lock, bool write) override {
    if (!order_.would_acquire(task, lock, write)) return;
    end_node(task);
    order_.acquire(task, lock, write);
    order_.tick(task);
  }
  void release(TaskIndex task, u32 lock, bool write) override {
    end_node(task);
    order_.release(task, lock, write);
  }

  // --- access sets

  void access(TaskIndex task, const Access& a) override {
    ++accesses_;
    for_each_block(a.address, a.size, [&](u64 base, u64 bytes) { mark(task, a, sets_[base], base, bytes); });
  }

  HEDDLE_INLINE void mark(TaskIndex task, const Access& a, Block& block, u64 base, u64 bytes) {
    const Epoch now = order_.now(task);
    const Kind kind = kind_of(a.write, a.atomic);
    if (HEDDLE_LIKELY(block.count() > 0)) {
      const Entry& last = block.end()[-1];
      if (last.node == now && covers(last.kind, kind) && (bytes & ~last.bytes) == 0 &&
          (last.bound_to == 0 || last.bound_to == a.bound_to)) {
        ++repeated_;
        return;
      }
    }
    insert(task, {bytes, now, a.site, kind, static_cast<u16>(a.bound_to)}, block, base);
  }

  HEDDLE_NOINLINE void insert(TaskIndex task, Entry now, Block& block, u64 base) {
    now.bytes &= ~block.racy;
    Entry* same = nullptr;
    bool touched = false;
    for (Entry& entry : block) {
      if (entry.node != now.node) continue;
      touched = true;
      if (stands_for(entry.kind, entry.bound_to, now)) now.bytes &= ~entry.bytes;
      if (entry.kind == now.kind && entry.site == now.site && entry.bound_to == now.bound_to) same = &entry;
    }
    if (now.bytes == 0) {
      ++repeated_;
      return;
    }
    if (writes(now.kind)) block.written |= now.bytes;
    if (same)
      same->bytes |= now.bytes;
    else
      block.add(now);
    if (!touched) nodes_[task].touched.push_back({&block, base});
  }

  void end_node(TaskIndex task) {
    if (task >= nodes_.size() || nodes_[task].touched.empty()) return;
    ++ended_;
    const Epoch now = order_.now(task);
    for (const Touched& touched : nodes_[task].touched) check(task, now, *touched.block, touched.base);
    nodes_[task].touched.clear();
  }

  // The node's entries against all others of the block.
  void check(TaskIndex task, Epoch now, Block& block, u64 base) {
    if (block.count() == 1) return;
    u64 read = 0, write = 0;
    for (const Entry& entry : block)
      if (entry.node == now) (writes(entry.kind) ? write : read) |= entry.bytes;
    if (!write && !(read & block.written) && !block.crowded()) return;
    ++checked_;
    u64 mine = read | write;
    u64 written = 0;
    for (Entry* other = block.begin(); other != block.end();) {
      if (other->node != now && (other->bytes & mine)) {
        if (order_.before(other->node, task)) {
          strip(*other, now, block);
          if (other->bytes == 0) {
            block.remove(other);
            continue;
          }
        } else if (other->bytes & (writes(other->kind) ? mine : write)) {
          intersect(*other, now, block, base);
        }
      }
      if (writes(other->kind)) written |= other->bytes;
      ++other;
    }
    block.written = written;
    block.set_crowd();
  }

  static void strip(Entry& earlier, Epoch now, Block& block) {
    for (const Entry& entry : block)
      if (entry.node == now && stands_for(entry.kind, entry.bound_to, earlier)) earlier.bytes &= ~entry.bytes;
  }

  void intersect(const Entry& other, Epoch now, Block& block, u64 base) {
    ++intersections_;
    for (const Entry& entry : block) {
      if (entry.node != now || !conflict(entry, other)) continue;
      u64 both = entry.bytes & other.bytes & ~block.racy;
      if (!both) continue;
      block.racy |= both;
      races.add(side(other.site, other.kind), side(entry.site, entry.kind), base, both);
    }
  }

  // What is unchecked in these blocks is checked now: it can race with the past, but not with what comes.
  void new_memory(TaskIndex, u64 address, u64 size) override {
    sets_.for_range(address, size, [&](Block& block, u64 base, u64 bytes) {
      if (block.count() > 1) {
        for (u32 i = 0; i < block.count(); ++i) {
          const Entry entry = block.begin()[i];
          TaskIndex owner = order_.holder(chain_of(entry.node));
          if (owner == kNobody || order_.now(owner) != entry.node) continue;
          u32 before = block.count();
          check(owner, entry.node, block, base);
          if (block.count() != before) i = ~u32{0};  // entries have moved
        }
      }
      block.clear(bytes);
    });
  }

  static constexpr TaskIndex kNobody = ~u32{0};

  Options options_;
  HappensBefore order_;
  mutable Paged<Block> sets_;
  std::vector<Node> nodes_ = std::vector<Node>(1);
  u64 accesses_ = 0, repeated_ = 0, ended_ = 0, checked_ = 0, intersections_ = 0;
};

}  // namespace

std::unique_ptr<Engine> make_zipper(const Options& options) { return std::make_unique<Zipper>(options); }

}  // namespace heddle::engine
