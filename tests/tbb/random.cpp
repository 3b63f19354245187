// Random programs on oneTBB, each with the verdict of an oracle that does not know TBB: the program is lowered to a
// history in which every task is a thread that is started, signals to its successors, and is joined by the task that
// waits for it. All pairs of accesses are then decided by the computation graph (src/checker/oracle/all_pairs.hpp).
//
// usage: random_tbb FIRST COUNT SIZE   programs FIRST.. of about SIZE steps
//        random_tbb -                  the program that is read from the standard input
// For each three lines: its text, the cell of each access, the racing pairs of accesses. A pair with a question mark
// need not be found: two nodes of a flow graph that share a successor acquire its mutex one after the other, and
// later puts of the second one then happen after the first one, in this run.
#include <cstdlib>
#include <iostream>

#include "checker/oracle/all_pairs.hpp"
#include "event/random/rng.hpp"
#include "event/run_state.hpp"
#include "structure.hpp"

namespace {

using namespace heddle;
using namespace structure;

constexpr u32 kLocks = 2;  // around single accesses

// The constructs that may be used at a place of the program.
struct Place {
  int depth = 0;
  int groups = 0;    // that a task may be run in
  bool fed = false;  // directly in an element of parallel_for_each
};

class Generator {
 public:
  Generator(u64 seed, int size) : rng_(seed), left_(size) {
    cells_ = static_cast<int>(rng_.between(2, rng_.percent(50) ? 8 : kMostCells));
    write_percent_ = rng_.between(10, 50);
  }

  Body program() {
    Body body;
    while (left_ > 0) add_step(body, Place());
    return body;
  }

 private:
  static constexpr int kDeepest = 4;
  static constexpr u32 kMostCells = 40;  // enough of them, and most have no race

  Body body(const Place& place) {
    Body body;
    for (u32 steps = rng_.between(1, 3); steps > 0; --steps) add_step(body, place);
    return body;
  }
  std::vector<Body> several(usize count, const Place& place) {
    std::vector<Body> bodies;
    for (usize i = 0; i < count; ++i) bodies.push_back(body(place));
    return bodies;
  }

  void add_step(Body& to, Place place) {
    --left_;
    ++place.depth;
    Place inside = place;
    inside.fed = false;
    const u32 kind = rng_.below(100);
    if (left_ <= 0 || place.depth > kDeepest || kind < 40) return add_access(to);
    if (kind < 50 && place.groups > 0) {
      inside.groups =
          static_cast<int>(rng_.between(1, static_cast<u32>(place.groups)));  // those that outlive it
      return to.push_back({Op::kRun, {inside.groups - 1}, several(1, inside)});
    }
    if (kind < 53 && place.fed) {
      inside.fed = true;
      return to.push_back({Op::kFeed, {}, several(1, inside)});
    }
    if (kind < 66) return add_group(to, inside);
    if (kind < 70) return to.push_back({Op::kInvoke, {}, several(rng_.between(2, 3), inside)});
    if (kind < 74) return to.push_back({Op::kFor, {}, several(rng_.between(2, 5), inside)});
    if (kind < 77) return to.push_back({Op::kReduce, {}, several(rng_.between(2, 5), inside)});
    if (kind < 81) {
      const u32 leaves = rng_.between(2, 5);
      return to.push_back({Op::kReduceTree, {}, several(2 * leaves - 1, inside)});
    }
    if (kind < 84) {
      inside.fed = true;
      return to.push_back({Op::kForEach, {}, several(rng_.between(2, 4), inside)});
    }
    if (kind < 88) return add_pipeline(to, inside);
    // A task that is left in an arena, an isolated region or a thread's arena may never run. A graph may have an
    // arena, too.
    inside.groups = 0;
    if (kind < 92) return add_graph(to, inside);
    if (kind < 94) {
      const int messages = static_cast<int>(rng_.between(2, 4)), nodes = static_cast<int>(rng_.between(1, 3));
      return to.push_back(
          {Op::kMessages, {messages, nodes}, several(static_cast<usize>(messages) * nodes, inside)});
    }
    if (kind < 96) return to.push_back({Op::kArena, {}, several(1, inside)});
    if (kind < 98) return to.push_back({Op::kIsolate, {}, several(1, inside)});
    Step step{Op::kThread};
    step.bodies = several(2, inside);
    to.push_back(std::move(step));
  }

  void add_access(Body& to) {
    const int cell = static_cast<int>(rng_.below(static_cast<u32>(cells_)));
    const int lock = rng_.percent(20) ? static_cast<int>(rng_.below(kLocks)) : -1;
    to.push_back({Op::kAccess, {sites_++, cell, rng_.percent(write_percent_), lock}});
  }

  void add_group(Body& to, Place inside) {
    ++inside.groups;
    Body body;
    for (u32 steps = rng_.between(2, 5); steps > 0; --steps) {
      const u32 kind = rng_.below(100);
      if (kind < 50) {
        body.push_back({Op::kRun, {inside.groups - 1}, several(1, inside)});
      } else if (kind < 60) {
        body.push_back({Op::kWait});
      } else if (kind < 66) {
        body.push_back({Op::kRunAndWait, {}, several(1, inside)});
      } else {
        add_step(body, inside);
      }
    }
    to.push_back({Op::kGroup, {}, {std::move(body)}});
  }

  // In a filter that is serial but out of order items exclude each other as under a lock, which tasks inside would
  // not hold: it has accesses only.
  void add_pipeline(Body& to, const Place& inside) {
    const u32 items = rng_.between(2, 4), filters = rng_.between(1, 3);
    Step step{Op::kPipeline, {static_cast<int>(rng_.between(1, 4)), static_cast<int>(items)}};
    const bool in_order = rng_.percent(70);
    step.numbers.push_back(in_order ? kInOrder : kParallel);
    while (step.numbers.size() < 2 + filters)
      step.numbers.push_back(in_order && rng_.percent(50) ? kInOrder
                             : rng_.percent(60)           ? kParallel
                                                          : kOutOfOrder);
    for (u32 i = 0; i < items * filters; ++i) {
      step.bodies.push_back(step.numbers[2 + i % filters] == kOutOfOrder ? Body() : body(inside));
      if (step.bodies.back().empty()) add_access(step.bodies.back());
    }
    to.push_back(std::move(step));
  }

  void add_graph(Body& to, const Place& inside) {
    const int nodes = static_cast<int>(rng_.between(2, 5));
    Step step{Op::kContinueGraph};
    for (int from = 0; from < nodes; ++from)
      for (int node = from + 1; node < nodes; ++node)
        if (rng_.percent(40)) step.numbers.insert(step.numbers.end(), {from, node});
    step.bodies = several(static_cast<usize>(nodes), inside);
    to.push_back(std::move(step));
  }

  event::Rng rng_;
  int left_;
  int cells_;
  u32 write_percent_;
  int sites_ = 0;
};

// The history of one execution, in which everything runs as soon as it may.
class Lowering {
 public:
  explicit Lowering(const Body& program) {
    Scope scope;
    lower(program, 0, scope);
  }
  const event::History& history() const { return history_; }

 private:
  using Tasks = std::vector<u32>;
  struct Scope {
    std::vector<Tasks*> groups;  // the tasks that each has and that nobody has waited for
    Tasks* fed = nullptr;
  };

  // A task that happens after its creator and the given tasks, and holds the lock; returns its number, which is also
  // that of its object.
  u32 spawn(u32 creator, const Body& body, const Scope& scope, const Tasks& after = {}, int lock = -1) {
    const u32 task = ++tasks_;
    history_.push_back(event::Spawn{creator, task, event::SpawnKind::kThread});
    history_.push_back(event::Begin{task, task});
    for (const u32 other : after) history_.push_back(event::Await{task, other});
    if (lock >= 0) history_.push_back(event::Acquire{task, static_cast<u32>(lock)});
    lower(body, task, scope);
    if (lock >= 0) history_.push_back(event::Release{task, static_cast<u32>(lock)});
    history_.push_back(event::Signal{task, task});
    history_.push_back(event::End{task});
    return task;
  }
  void join(u32 task, Tasks& children) {
    for (const u32 child : children) history_.push_back(event::JoinThread{task, child});
    children.clear();
  }
  void all_beside(u32 task, const std::vector<Body>& bodies, const Scope& scope) {
    Tasks children;
    for (const Body& body : bodies) children.push_back(spawn(task, body, scope));
    join(task, children);
  }

  void lower(const Body& body, u32 task, const Scope& scope) {
    for (const Step& step : body) lower(step, task, scope);
  }
  void lower(const Step& step, u32 task, const Scope& scope) {
    switch (step.op) {
      case Op::kAccess:
        return access(step, task);
      case Op::kGroup: {
        Tasks tasks;
        Scope inner = scope;
        inner.groups.push_back(&tasks);
        lower(step.bodies[0], task, inner);
        return join(task, tasks);
      }
      case Op::kRun: {
        Scope seen = scope;
        seen.groups.resize(static_cast<usize>(step.numbers[0]) + 1);
        // Not in one expression: running the body may add to the same group.
        const u32 child = spawn(task, step.bodies[0], seen);
        return seen.groups.back()->push_back(child);
      }
      case Op::kWait:
        return join(task, *scope.groups.back());
      case Op::kRunAndWait: {
        const u32 child = spawn(task, step.bodies[0], scope);
        scope.groups.back()->push_back(child);
        return join(task, *scope.groups.back());
      }
      case Op::kInvoke:
      case Op::kFor:
      case Op::kReduce:
        return all_beside(task, step.bodies, scope);
      case Op::kReduceTree: {
        const int leaves = static_cast<int>(step.bodies.size() + 1) / 2;
        Tasks all;
        reduce(step, task, scope, 0, leaves, all);
        return join(task, all);
      }
      case Op::kForEach: {
        Tasks all;
        Scope inner = scope;
        inner.fed = &all;
        for (const Body& element : step.bodies) {
          const u32 child = spawn(task, element, inner);
          all.push_back(child);
        }
        return join(task, all);
      }
      case Op::kFeed: {
        const u32 child = spawn(task, step.bodies[0], scope);
        return scope.fed->push_back(child);
      }
      case Op::kPipeline:
        return pipeline(step, task, scope);
      case Op::kContinueGraph: {
        Tasks nodes;
        for (usize node = 0; node < step.bodies.size(); ++node) {
          Tasks before;
          for (usize edge = 0; edge < step.numbers.size(); edge += 2)
            if (static_cast<usize>(step.numbers[edge + 1]) == node)
              before.push_back(nodes[static_cast<usize>(step.numbers[edge])]);
          const u32 child = spawn(task, step.bodies[node], Scope(), before);
          nodes.push_back(child);
        }
        return join(task, nodes);
      }
      case Op::kMessages: {
        Tasks all;
        const auto nodes = static_cast<usize>(step.numbers[1]);
        for (usize i = 0; i < step.bodies.size(); ++i) {
          const u32 child = spawn(task, step.bodies[i], Scope(), i % nodes ? Tasks{all.back()} : Tasks());
          all.push_back(child);
        }
        return join(task, all);
      }
      case Op::kArena:
      case Op::kIsolate:
        return lower(step.bodies[0], task, Scope());
      case Op::kThread: {
        Tasks thread{spawn(task, step.bodies[0], Scope())};
        lower(step.bodies[1], task, Scope());
        return join(task, thread);
      }
    }
  }

  void access(const Step& step, u32 task) {
    const u32 lock = static_cast<u32>(step.numbers[3]);
    if (step.numbers[3] >= 0) history_.push_back(event::Acquire{task, lock});
    event::Access access{task};
    access.address = 8 * static_cast<u64>(step.numbers[1] + 1);
    access.write = step.numbers[2] != 0;
    access.site = static_cast<u32>(step.numbers[0]);
    history_.push_back(access);
    if (step.numbers[3] >= 0) history_.push_back(event::Release{task, lock});
  }

  // A range is split in the middle, as blocked_range does; the join of the split at m is body leaves + m - 1, and
  // happens after both halves.
  u32 reduce(const Step& step, u32 task, const Scope& scope, int begin, int end, Tasks& all) {
    if (end - begin == 1) {
      all.push_back(spawn(task, step.bodies[static_cast<usize>(begin)], scope));
      return all.back();
    }
    const int middle = begin + (end - begin) / 2;
    const u32 left = reduce(step, task, scope, begin, middle, all),
              right = reduce(step, task, scope, middle, end, all);
    const usize leaves = (step.bodies.size() + 1) / 2;
    all.push_back(spawn(task, step.bodies[leaves + static_cast<usize>(middle) - 1], scope, {left, right}));
    return all.back();
  }

  // A wait for a token waits for the item that left the pipeline that many items ago; that is a fixed one only if
  // items leave in order, and they have an order only if they came in one; or if there is one token.
  void pipeline(const Step& step, u32 task, const Scope& scope) {
    const auto tokens = static_cast<usize>(step.numbers[0]), items = static_cast<usize>(step.numbers[1]),
               filters = step.numbers.size() - 2;
    const bool tokens_order = tokens == 1 || (step.numbers[2] == kInOrder && step.numbers.back() == kInOrder);
    const u32 first_lock = locks_;
    locks_ += static_cast<u32>(filters);
    Tasks all;
    for (usize item = 0; item < items; ++item)
      for (usize filter = 0; filter < filters; ++filter) {
        Tasks before;
        if (filter > 0) before.push_back(all.back());
        if (item > 0 && step.numbers[2 + filter] == kInOrder)
          before.push_back(all[(item - 1) * filters + filter]);
        if (filter == 0 && item >= tokens && tokens_order)
          before.push_back(all[(item - tokens) * filters + filters - 1]);
        const int lock = step.numbers[2 + filter] == kOutOfOrder ? static_cast<int>(first_lock + filter) : -1;
        const u32 child = spawn(task, step.bodies[item * filters + filter], scope, before, lock);
        all.push_back(child);
      }
    join(task, all);
  }

  event::History history_;
  u32 tasks_ = 0;
  u32 locks_ = kLocks;
};

void print(const Body& program) {
  const Lowering lowering(program);
  const event::History& history = lowering.history();
  if (!event::is_legal(history)) std::abort();
  structure::write(std::cout, program);
  std::cout << '\n';
  for (const event::Event& event : history)
    if (const auto* access = std::get_if<event::Access>(&event))
      std::cout << access->site << ':' << access->address / 8 - 1 << ' ';
  std::cout << '\n';
  const race::AllPairs oracle(history);
  for (const race::RacingPair& pair : oracle.races()) {
    const u32 first = std::get<event::Access>(history[pair.first]).site,
              second = std::get<event::Access>(history[pair.second]).site;
    std::cout << first << ',' << second << ' ';
  }
  std::cout << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && argv[1] == std::string("-")) {
    print(structure::read(std::cin));
    return 0;
  }
  if (argc != 4) {
    std::cerr << "usage: random_tbb FIRST COUNT SIZE | random_tbb -\n";
    return 2;
  }
  const u64 first = std::strtoull(argv[1], nullptr, 10), count = std::strtoull(argv[2], nullptr, 10);
  for (u64 number = first; number < first + count; ++number)
    print(Generator(number, std::atoi(argv[3])).program());
}
