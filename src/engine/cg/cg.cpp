#include "engine/cg/cg.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

#include "engine/access_kind.hpp"
#include "engine/entry_list.hpp"
#include "engine/paged.hpp"

namespace heddle::engine {
namespace {

using Node = Graph::Node;

// The accesses of one node to a block, of one kind and from one site.
struct Entry {
  u64 bytes = 0;
  Node node = 0;
  u32 site = 0;
  Kind kind = Kind::kRead;
  u32 bound_to = 0;
};
using Block = EntryList<Entry>;

bool conflict(const Entry& a, const Entry& b) {
  return (a.bytes & b.bytes) && conflict(a.kind, b.kind) && !(a.bound_to && a.bound_to == b.bound_to);
}

class Cg final : public CoreEngine<Cg, CgEngine> {
 public:
  explicit Cg(bool drawn) : drawn_(drawn) {}
  ~Cg() override {
    for (auto& [base, block] : closed_) block.destroy();
  }

  void finish() override;
  usize memory_used() const override {
    usize bytes = sets_.memory() + graph_.memory();
    for (const auto& [base, block] : closed_) bytes += sizeof block + block.memory();
    return bytes;
  }
  std::vector<Counter> counters() const override {
    return {{"accesses", accesses_},
            {"nodes", graph_.nodes()},
            {"edges", graph_.edge_count()},
            {"sweeps", sweeps_},
            {"intersections", intersections_}};
  }
  const Graph& graph() const override { return graph_; }
  const std::vector<NodeAbout>& nodes() const override { return about_; }
  const std::vector<NodeRace>& node_races() const override { return node_races_; }

 private:
  friend class CoreEngine<Cg, CgEngine>;

  void fork(TaskIndex task, TaskIndex child) override {
    graph_.fork(task, child);
    note(task);
    note(child);
  }
  void join(TaskIndex task, TaskIndex child) override {
    graph_.join(task, child);
    note(task);
  }
  void signal(TaskIndex task, ObjectIndex object, bool replace) override {
    graph_.signal(task, object, replace);
    note(task);
  }
  void await(TaskIndex task, ObjectIndex object) override {
    graph_.await(task, object);
    note(task);
  }
  void forget(ObjectIndex object) override { graph_.forget(object); }
  void acquire(TaskIndex task, u32 lock, bool write) override {
    graph_.acquire(task, lock, write);
    note(task);
  }
  void release(TaskIndex task, u32 lock, bool write) override {
    graph_.release(task, lock, write);
    note(task);
  }

  void note(TaskIndex task) {
    if (!drawn_) return;
    about_.resize(graph_.nodes());
    about_[graph_.current(task)].task = task_number(task);
  }

  HEDDLE_INLINE void touch(TaskIndex task, const Access& a) {
    ++accesses_;
    Node node = graph_.current(task);
    if (drawn_) {
      about_.resize(graph_.nodes());
      NodeAbout& about = about_[node];
      if (about.reads + about.writes == 0) about.site = a.site;
      ++(a.write ? about.writes : about.reads);
    }
    Entry now{0, node, a.site, kind_of(a.write, a.atomic), a.bound_to};
    for_each_block(a.address, a.size, [&](u64 base, u64 bytes) {
      now.bytes = bytes;
      mark(now, sets_[base]);
    });
  }

  // The node's own entries are the last ones, unless nodes of other tasks came between: then it gets a second entry
  // for the same site, and both are merged when the list has grown.
  static void mark(const Entry& now, Block& block) {
    constexpr u32 kLook = 16;
    u32 looked = 0;
    for (Entry* entry = block.end(); entry != block.begin() && looked < kLook; ++looked) {
      --entry;
      if (entry->node != now.node || entry->kind != now.kind || entry->bound_to != now.bound_to) continue;
      if ((now.bytes & ~entry->bytes) == 0) return;
      if (entry->site != now.site) continue;
      entry->bytes |= now.bytes;
      return;
    }
    if (block.crowded()) merge_doubles(block);
    block.add(now);
  }
  static void merge_doubles(Block& block) {
    auto key = [](const Entry& entry) {
      return std::tuple(entry.node, entry.kind, entry.site, entry.bound_to);
    };
    std::sort(block.begin(), block.end(), [&](const Entry& a, const Entry& b) { return key(a) < key(b); });
    u32 kept = 0;
    for (u32 i = 0; i < block.count(); ++i) {
      Entry* entries = block.begin();
      if (kept > 0 && key(entries[kept - 1]) == key(entries[i]))
        entries[kept - 1].bytes |= entries[i].bytes;
      else
        entries[kept++] = entries[i];
    }
    while (block.count() > kept) block.remove(block.end() - 1);
    block.set_crowd();
  }

  // Earlier accesses to these bytes are checked at the end, but not against later ones.
  void new_memory(TaskIndex, u64 address, u64 size) override {
    sets_.for_range(address, size, [&](Block& block, u64 base, u64 bytes) {
      Block closed;
      for (Entry entry : block) {
        entry.bytes &= bytes;
        if (entry.bytes) closed.add(entry);
      }
      block.clear(bytes);
      if (contested(closed))
        closed_.emplace_back(base, closed);
      else
        closed.destroy();
    });
  }

  // Can there be a race at all?
  static bool contested(Block& block) {
    bool write = false, several = false;
    for (const Entry& entry : block) {
      write |= writes(entry.kind);
      several |= entry.node != block.begin()->node;
    }
    return write && several;
  }

  bool drawn_;
  Graph graph_;
  mutable EntryLog<Entry> sets_;
  std::vector<std::pair<u64, Block>> closed_;
  std::vector<NodeAbout> about_ = std::vector<NodeAbout>(1);
  std::vector<NodeRace> node_races_;
  u64 accesses_ = 0, sweeps_ = 0, intersections_ = 0;
};

// Which of up to 512 source nodes reach a node.
struct Reached {
  static constexpr u32 kSources = 512;
  u64 words[kSources / 64] = {};

  bool has(u32 source) const { return words[source / 64] >> (source % 64) & 1; }
  void set(u32 source) { words[source / 64] |= u64{1} << (source % 64); }
  void add(const Reached& other) {
    for (u32 i = 0; i < kSources / 64; ++i) words[i] |= other.words[i];
  }
};

void Cg::finish() {
  if (drawn_) about_.resize(graph_.nodes());
  // All that may race, by the earlier node.
  struct Use {
    Node node;
    Block* block;
    u64 base;
  };
  std::vector<Use> uses;
  auto collect = [&](Block& block, u64 base) {
    if (!contested(block)) return;
    std::sort(block.begin(), block.end(), [](const Entry& a, const Entry& b) { return a.node < b.node; });
    Node last = ~Node{0};
    for (const Entry& entry : block)
      if (entry.node != last) uses.push_back({last = entry.node, &block, base});
  };
  sets_.for_each(collect);
  for (auto& [base, block] : closed_) collect(block, base);
  std::sort(uses.begin(), uses.end(), [](const Use& a, const Use& b) { return a.node < b.node; });

  std::vector<Reached> reached(uses.empty() ? 0 : graph_.nodes());
  for (usize from = 0; from < uses.size();) {
    // The next sources, and one sweep from the first of them to the end.
    ++sweeps_;
    Node first = uses[from].node;
    std::fill(reached.begin() + first, reached.end(), Reached{});
    u32 sources = 0;
    usize to = from;
    for (; to < uses.size(); ++to) {
      if (to > from && uses[to].node == uses[to - 1].node) continue;
      if (sources == Reached::kSources) break;
      reached[uses[to].node].set(sources++);
    }
    for (Node node = first + 1; node < graph_.nodes(); ++node)
      for (const Graph::Edge* edge = graph_.begin(node); edge != graph_.end(node); ++edge)
        if (edge->from >= first) reached[node].add(reached[edge->from]);

    u32 source = 0;
    for (usize at = from; at < to; ++at) {
      if (at > from && uses[at].node != uses[at - 1].node) ++source;
      const Use& use = uses[at];
      Entry* mine = std::lower_bound(use.block->begin(), use.block->end(), use.node,
                                     [](const Entry& entry, Node node) { return entry.node < node; });
      Entry* later = mine;
      while (later != use.block->end() && later->node == use.node) ++later;
      Entry* end_of_mine = later;
      for (; later != use.block->end(); ++later) {
        if (reached[later->node].has(source)) continue;
        for (Entry* entry = mine; entry != end_of_mine; ++entry) {
          ++intersections_;
          u64 both = entry->bytes & later->bytes & ~use.block->racy;
          if (!both || !conflict(*entry, *later)) continue;
          use.block->racy |= both;
          races.add(side(entry->site, entry->kind), side(later->site, later->kind), use.base, both);
          if (drawn_)
            node_races_.push_back({entry->node, later->node, side(entry->site, entry->kind),
                                   side(later->site, later->kind),
                                   use.base + static_cast<u64>(std::countr_zero(both))});
        }
      }
    }
    from = to;
  }
}

}  // namespace

std::unique_ptr<Engine> make_cg(const Options&) { return std::make_unique<Cg>(false); }
std::unique_ptr<CgEngine> make_drawn_cg() { return std::make_unique<Cg>(true); }

}  // namespace heddle::engine
