// What the order costs, piece by piece: a query, a spawn and join, a signal, and the clocks under them.
//
//   build/ci/benchmarks/order_benchmark --benchmark_filter=Query
#include <benchmark/benchmark.h>

#include <vector>

#include "base/memory.hpp"
#include "order/structure.hpp"

namespace heddle::order {
namespace {

Structure& engine() {
  static auto* structure = memory::make<Structure>();
  return *structure;
}

// A task `depth` levels below `top`, all of which have ended, each one waited for by the one above it.
const Task* joined_descendant(Task* top, int64_t depth) {
  std::vector<Task*> path{top};
  for (int64_t level = 0; level < depth; ++level) path.push_back(engine().spawn(*path.back()));
  for (size_t level = path.size() - 1; level > 0; --level) {
    engine().end(*path[level]);
    engine().wait_children(*path[level - 1]);
  }
  return path.back();
}

// Is a task, joined `depth` levels up into a sibling of ours, before us? The runtime caches the answer while a strand
// lasts.
void Query(benchmark::State& state) {
  Task* root = engine().make_root();
  const Task* earlier = joined_descendant(engine().spawn(*root), state.range(0));
  const Task* now = engine().spawn(*root);
  for (auto _ : state) benchmark::DoNotOptimize(engine().known_by_structure(*earlier, *now));
}
BENCHMARK(Query)->RangeMultiplier(4)->Range(1, 256);

void SpawnEndWait(benchmark::State& state) {
  Task* root = engine().make_root();
  // Task records stay forever (shadow memory may name them), so the number of turns is bounded.
  for (auto _ : state) {
    Task* child = engine().spawn(*root);
    engine().end(*child);
    engine().wait_children(*root);
  }
}
BENCHMARK(SpawnEndWait)->Iterations(1000000);

// A flag passed to and fro between two threads.
void SignalAndAwait(benchmark::State& state) {
  Task* root = engine().make_root();
  Task* a = engine().spawn_thread(*root);
  Task* b = engine().spawn_thread(*root);
  SyncObject object;
  for (auto _ : state) {
    engine().publish(*a, object);
    engine().await(*b, object);
    std::swap(a, b);
  }
}
BENCHMARK(SignalAndAwait)->Iterations(1000000);

Clock clock_of(int64_t chains, u32 value) {
  Clock clock;
  for (int64_t chain = 1; chain <= chains; ++chain) clock.raise(static_cast<u32>(chain), value);
  return clock;
}

void ClockJoinOfStrangers(benchmark::State& state) {
  const Clock a = clock_of(state.range(0), 1), b = clock_of(state.range(0), 2);
  for (auto _ : state) {
    Clock joined = a;
    joined.join(b);
    benchmark::DoNotOptimize(joined);
  }
}
BENCHMARK(ClockJoinOfStrangers)->RangeMultiplier(8)->Range(8, 4096);

// The usual join: the other clock is ours but for one entry, so all but one path is shared.
void ClockJoinOfRelatives(benchmark::State& state) {
  const Clock a = clock_of(state.range(0), 1);
  Clock b = a;
  b.raise(1, 5);
  for (auto _ : state) {
    Clock joined = a;
    joined.join(b);
    benchmark::DoNotOptimize(joined);
  }
}
BENCHMARK(ClockJoinOfRelatives)->RangeMultiplier(8)->Range(8, 4096);

}  // namespace
}  // namespace heddle::order

BENCHMARK_MAIN();
