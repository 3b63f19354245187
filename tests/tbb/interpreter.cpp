// Executes a random program (structure.hpp) from its standard input on oneTBB. Each access has its own line in
// sites.inc, which random_test.py writes: the lines of a report identify the racing accesses.
#include <tbb/blocked_range.h>
#include <tbb/flow_graph.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_for_each.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/parallel_reduce.h>
#include <tbb/spin_mutex.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <atomic>
#include <iostream>
#include <memory>
#include <thread>

#include "../programs/workers.hpp"
#include "structure.hpp"

namespace {

using namespace structure;
using Range = tbb::blocked_range<std::size_t>;

long cells[64];
tbb::spin_mutex locks[2];

void touch(int site, int cell, bool write) {
  switch (site) {
#include "sites.inc"
  }
}

struct Scope {
  std::vector<tbb::task_group*> groups;
  tbb::feeder<const Body*>* feeder = nullptr;
};

void perform(const Body& body, const Scope& scope);

// The body of a reduction: its part of the range, so that a join knows where the range was split.
class Reduction {
 public:
  Reduction(const Step& step, const Scope& scope) : step_(step), scope_(scope) {}
  Reduction(Reduction& other, tbb::split) : step_(other.step_), scope_(other.scope_) {}

  void operator()(const Range& range) {
    if (begin_ > range.begin()) begin_ = range.begin();
    perform(step_.bodies[range.begin()], scope_);
  }
  void join(const Reduction& right) {
    const std::size_t leaves = (step_.bodies.size() + 1) / 2;
    if (step_.op == Op::kReduceTree) perform(step_.bodies[leaves + right.begin_ - 1], scope_);
  }

 private:
  const Step& step_;
  const Scope& scope_;
  std::size_t begin_ = static_cast<std::size_t>(-1);
};

void run_pipeline(const Step& step, const Scope& scope) {
  const auto items = static_cast<std::size_t>(step.numbers[1]), filters = step.numbers.size() - 2;
  auto mode = [&](std::size_t filter) {
    switch (step.numbers[2 + filter]) {
      case kInOrder:
        return tbb::filter_mode::serial_in_order;
      case kOutOfOrder:
        return tbb::filter_mode::serial_out_of_order;
      default:
        return tbb::filter_mode::parallel;
    }
  };
  std::atomic<std::size_t> next = 0;
  auto input = [&](tbb::flow_control& control) {
    const std::size_t item = next.fetch_add(1, std::memory_order_relaxed);
    if (item >= items)
      control.stop();
    else
      perform(step.bodies[item * filters], scope);
    return item;
  };
  auto process = [&](std::size_t filter) {
    return [&, filter](std::size_t item) {
      perform(step.bodies[item * filters + filter], scope);
      return item;
    };
  };
  // A separate last filter that does nothing would be one too many; so the last one returns nothing.
  auto last = [&](std::size_t filter) {
    return tbb::make_filter<std::size_t, void>(mode(filter), [&, filter](std::size_t item) {
      perform(step.bodies[item * filters + filter], scope);
    });
  };
  const auto tokens = static_cast<std::size_t>(step.numbers[0]);
  if (filters == 1) {
    tbb::parallel_pipeline(
        tokens, tbb::make_filter<void, void>(mode(0), [&](tbb::flow_control& control) { input(control); }));
    return;
  }
  auto first = tbb::make_filter<void, std::size_t>(mode(0), input);
  if (filters == 2)
    tbb::parallel_pipeline(tokens, first & last(1));
  else
    tbb::parallel_pipeline(tokens,
                           first & tbb::make_filter<std::size_t, std::size_t>(mode(1), process(1)) & last(2));
}

void run_graph(const Step& step) {
  using Node = tbb::flow::continue_node<tbb::flow::continue_msg>;
  tbb::flow::graph graph;
  std::vector<std::unique_ptr<Node>> nodes;
  std::vector<bool> starts(step.bodies.size(), true);
  for (const Body& body : step.bodies)
    nodes.push_back(
        std::make_unique<Node>(graph, [&](const tbb::flow::continue_msg&) { perform(body, Scope()); }));
  for (std::size_t edge = 0; edge < step.numbers.size(); edge += 2) {
    tbb::flow::make_edge(*nodes[static_cast<std::size_t>(step.numbers[edge])],
                         *nodes[static_cast<std::size_t>(step.numbers[edge + 1])]);
    starts[static_cast<std::size_t>(step.numbers[edge + 1])] = false;
  }
  for (std::size_t node = 0; node < nodes.size(); ++node)
    if (starts[node]) nodes[node]->try_put(tbb::flow::continue_msg());
  graph.wait_for_all();
}

void run_messages(const Step& step) {
  using Node = tbb::flow::function_node<std::size_t, std::size_t>;
  const auto messages = static_cast<std::size_t>(step.numbers[0]),
             count = static_cast<std::size_t>(step.numbers[1]);
  tbb::flow::graph graph;
  std::vector<std::unique_ptr<Node>> nodes;
  for (std::size_t node = 0; node < count; ++node) {
    nodes.push_back(std::make_unique<Node>(graph, tbb::flow::unlimited, [&, node](std::size_t message) {
      perform(step.bodies[message * count + node], Scope());
      return message;
    }));
    if (node > 0) tbb::flow::make_edge(*nodes[node - 1], *nodes[node]);
  }
  for (std::size_t message = 0; message < messages; ++message) nodes[0]->try_put(message);
  graph.wait_for_all();
}

void perform(const Step& step, const Scope& scope) {
  switch (step.op) {
    case Op::kAccess: {
      tbb::spin_mutex::scoped_lock lock;
      if (step.numbers[3] >= 0) lock.acquire(locks[step.numbers[3]]);
      return touch(step.numbers[0], step.numbers[1], step.numbers[2] != 0);
    }
    case Op::kGroup: {
      tbb::task_group group;
      Scope inner = scope;
      inner.groups.push_back(&group);
      perform(step.bodies[0], inner);
      group.wait();
      return;
    }
    case Op::kRun: {
      Scope seen = scope;
      seen.groups.resize(static_cast<std::size_t>(step.numbers[0]) + 1);
      tbb::task_group& group = *seen.groups.back();
      return group.run([&step, seen] { perform(step.bodies[0], seen); });
    }
    case Op::kWait:
      scope.groups.back()->wait();
      return;
    case Op::kRunAndWait:
      scope.groups.back()->run_and_wait([&] { perform(step.bodies[0], scope); });
      return;
    case Op::kInvoke: {
      auto body = [&](std::size_t which) { return [&, which] { perform(step.bodies[which], scope); }; };
      if (step.bodies.size() == 2) return tbb::parallel_invoke(body(0), body(1));
      return tbb::parallel_invoke(body(0), body(1), body(2));
    }
    case Op::kFor:
      return tbb::parallel_for(
          std::size_t{0}, step.bodies.size(), [&](std::size_t i) { perform(step.bodies[i], scope); },
          tbb::simple_partitioner());
    case Op::kReduce: {
      Reduction body(step, scope);
      return tbb::parallel_reduce(Range(0, step.bodies.size(), 1), body, tbb::simple_partitioner());
    }
    case Op::kReduceTree: {
      Reduction body(step, scope);
      return tbb::parallel_deterministic_reduce(Range(0, (step.bodies.size() + 1) / 2, 1), body,
                                                tbb::simple_partitioner());
    }
    case Op::kForEach: {
      std::vector<const Body*> elements;
      for (const Body& body : step.bodies) elements.push_back(&body);
      return tbb::parallel_for_each(elements, [&](const Body* body, tbb::feeder<const Body*>& feeder) {
        Scope inner = scope;
        inner.feeder = &feeder;
        perform(*body, inner);
      });
    }
    case Op::kFeed:
      return scope.feeder->add(&step.bodies[0]);
    case Op::kPipeline:
      return run_pipeline(step, scope);
    case Op::kContinueGraph:
      return run_graph(step);
    case Op::kMessages:
      return run_messages(step);
    case Op::kArena: {
      tbb::task_arena arena(2);
      return arena.execute([&] { perform(step.bodies[0], Scope()); });
    }
    case Op::kIsolate:
      return tbb::this_task_arena::isolate([&] { perform(step.bodies[0], Scope()); });
    case Op::kThread: {
      std::thread thread([&] { perform(step.bodies[0], Scope()); });
      perform(step.bodies[1], Scope());
      return thread.join();
    }
  }
}

void perform(const Body& body, const Scope& scope) {
  for (const Step& step : body) perform(step, scope);
}

int run() {
  const Body program = read(std::cin);
  perform(program, Scope());
  return 0;
}

}  // namespace

int main() { return on_workers(run); }
