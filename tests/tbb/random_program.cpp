// Executes a program on oneTBB that its arguments describe (oracle_test.py makes them, and knows what must race): words in prefix
// notation. Each variable is accessed twice, from functions of its own, so that a report tells which one raced.
//
//   access V K W          the K-th access to variable V; W: it writes
//   [ ... ]               a sequence
//   group [ ... ]         a task_group around the sequence, with a wait at its end; inside: run D SEQUENCE (into the D-th group outwards),
//                         wait (for the innermost)
//   for N SEQUENCES       parallel_for; each iteration is a sequence
//   invoke SEQUENCE SEQUENCE SEQUENCE
//   reduce N SEQUENCES M { LOW HIGH SEQUENCE }      the leaves, and what the join of [LOW, HIGH) does
//   pipeline TOKENS ITEMS STAGES { MODE } SEQUENCES     parallel, in_order, out_of_order; what each item does in each stage
//   graph NODES SEQUENCES EDGES { FROM TO }         continue_nodes; those without a predecessor are started
//   execute SEQUENCE      in an arena of its own
#include <tbb/blocked_range.h>
#include <tbb/flow_graph.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <array>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr int kVariables = 48;
int variables[kVariables];

template <int Variable, int Which, bool Write>
[[gnu::noinline]] void touch() {
  if (Write)
    variables[Variable] = Which;
  else
    asm volatile("" : : "r"(variables[Variable]));
}

using Touch = void (*)();
template <std::size_t... I>
constexpr auto touches(std::index_sequence<I...>) {
  return std::array<Touch, sizeof...(I)>{touch<I / 4, I / 2 % 2, I % 2 != 0>...};
}
constexpr auto kTouches = touches(std::make_index_sequence<4 * kVariables>());

struct Operation;
using Sequence = std::vector<Operation>;
struct Operation {
  std::string what;
  std::vector<int> numbers;
  std::vector<Sequence> parts;
  std::vector<std::string> modes;
};

// --- reading ----------------------------------------------------------------------------------------------------------

class Reader {
 public:
  explicit Reader(char** words) : words_(words) {}

  Sequence sequence() {
    word();  // [
    Sequence result;
    while (std::string(*words_) != "]") result.push_back(operation());
    word();
    return result;
  }

 private:
  std::string word() { return *words_++; }
  int number() { return std::atoi(*words_++); }
  void numbers(Operation& to, int count) {
    while (count-- > 0) to.numbers.push_back(number());
  }
  void parts(Operation& to, int count) {
    while (count-- > 0) to.parts.push_back(sequence());
  }

  Operation operation() {
    Operation result{word(), {}, {}, {}};
    if (result.what == "access") numbers(result, 3);
    if (result.what == "group" || result.what == "execute") parts(result, 1);
    if (result.what == "run") {
      numbers(result, 1);
      parts(result, 1);
    }
    if (result.what == "invoke") parts(result, 3);
    if (result.what == "for") parts(result, number());
    if (result.what == "reduce") {
      parts(result, number());
      for (int joins = number(); joins > 0; --joins) {
        numbers(result, 2);
        parts(result, 1);
      }
    }
    if (result.what == "pipeline") {
      numbers(result, 3);
      for (int i = 0; i < result.numbers[2]; ++i) result.modes.push_back(word());
      parts(result, result.numbers[1] * result.numbers[2]);
    }
    if (result.what == "graph") {
      parts(result, number());
      for (int edges = number(); edges > 0; --edges) numbers(result, 2);
    }
    return result;
  }

  char** words_;
};

// --- executing --------------------------------------------------------------------------------------------------------

using Groups = std::vector<tbb::task_group*>;
void execute(const Sequence& sequence, Groups groups);

struct Joins {
  std::map<std::pair<int, int>, const Sequence*> of_range;
  const Operation* leaves;
  Groups groups;
};

struct Body {
  const Joins* joins;
  int low = -1, high = -1;
  explicit Body(const Joins& all) : joins(&all) {}
  Body(const Body& other, tbb::split) : joins(other.joins) {}
  void operator()(const tbb::blocked_range<int>& range) {
    if (low < 0) low = range.begin();
    high = range.end();
    for (int i = range.begin(); i != range.end(); ++i) execute(joins->leaves->parts[static_cast<std::size_t>(i)], joins->groups);
  }
  void join(const Body& right) {
    high = right.high;
    if (const auto known = joins->of_range.find({low, high}); known != joins->of_range.end()) execute(*known->second, joins->groups);
  }
};

void reduce(const Operation& operation, const Groups& groups) {
  Joins joins{{}, &operation, groups};
  const std::size_t leaves = operation.parts.size() - operation.numbers.size() / 2;
  for (std::size_t i = 0; i < operation.numbers.size() / 2; ++i)
    joins.of_range[{operation.numbers[2 * i], operation.numbers[2 * i + 1]}] = &operation.parts[leaves + i];
  Body body(joins);
  tbb::parallel_reduce(tbb::blocked_range<int>(0, static_cast<int>(leaves), 1), body, tbb::simple_partitioner());
}

void pipeline(const Operation& operation, const Groups& groups) {
  const int items = operation.numbers[1], stages = operation.numbers[2];
  const auto mode = [&](int stage) {
    const std::string& name = operation.modes[static_cast<std::size_t>(stage)];
    return name == "parallel" ? tbb::filter_mode::parallel : name == "in_order" ? tbb::filter_mode::serial_in_order : tbb::filter_mode::serial_out_of_order;
  };
  const auto call = [&](int item, int stage) { execute(operation.parts[static_cast<std::size_t>(item * stages + stage)], groups); };
  int next = 0;
  auto chain = tbb::make_filter<void, int>(mode(0), [&](tbb::flow_control& control) {
    if (next == items) {
      control.stop();
      return 0;
    }
    call(next, 0);
    return next++;
  });
  for (int stage = 1; stage + 1 < stages; ++stage)
    chain = chain & tbb::make_filter<int, int>(mode(stage), [&, stage](int item) {
              call(item, stage);
              return item;
            });
  tbb::parallel_pipeline(static_cast<std::size_t>(operation.numbers[0]),
                         chain & tbb::make_filter<int, void>(mode(stages - 1), [&](int item) { call(item, stages - 1); }));
}

void graph(const Operation& operation, const Groups& groups) {
  using Node = tbb::flow::continue_node<tbb::flow::continue_msg>;
  tbb::flow::graph flow;
  std::vector<std::unique_ptr<Node>> nodes;
  for (const Sequence& part : operation.parts)
    nodes.push_back(std::make_unique<Node>(flow, [&part, &groups](const tbb::flow::continue_msg&) { execute(part, groups); }));
  std::vector<bool> starts(nodes.size(), true);
  for (std::size_t i = 0; i < operation.numbers.size(); i += 2) {
    const auto from = static_cast<std::size_t>(operation.numbers[i]), to = static_cast<std::size_t>(operation.numbers[i + 1]);
    tbb::flow::make_edge(*nodes[from], *nodes[to]);
    starts[to] = false;
  }
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (starts[i]) nodes[i]->try_put(tbb::flow::continue_msg());
  flow.wait_for_all();
}

void execute(const Operation& operation, Groups& groups) {
  const std::string& what = operation.what;
  const auto part = [&](std::size_t i) { execute(operation.parts[i], groups); };
  if (what == "access") {
    kTouches[static_cast<std::size_t>(4 * operation.numbers[0] + 2 * operation.numbers[1] + operation.numbers[2])]();
  } else if (what == "group") {
    tbb::task_group group;
    groups.push_back(&group);
    part(0);
    groups.pop_back();
    group.wait();
  } else if (what == "run") {
    tbb::task_group& group = *groups[groups.size() - 1 - static_cast<std::size_t>(operation.numbers[0])];
    group.run([&sequence = operation.parts[0], groups] { execute(sequence, groups); });
  } else if (what == "wait") {
    groups.back()->wait();
  } else if (what == "for") {
    tbb::parallel_for(std::size_t{0}, operation.parts.size(), [&](std::size_t i) { part(i); });
  } else if (what == "invoke") {
    tbb::parallel_invoke([&] { part(0); }, [&] { part(1); }, [&] { part(2); });
  } else if (what == "reduce") {
    reduce(operation, groups);
  } else if (what == "pipeline") {
    pipeline(operation, groups);
  } else if (what == "graph") {
    graph(operation, groups);
  } else if (what == "execute") {
    tbb::task_arena(2).execute([&] { part(0); });
  }
}

void execute(const Sequence& sequence, Groups groups) {
  for (const Operation& operation : sequence) execute(operation, groups);
}

}  // namespace

int main(int, char** words) {
  const char* workers = std::getenv("WORKERS");
  tbb::global_control limit(tbb::global_control::max_allowed_parallelism, workers ? std::strtoul(workers, nullptr, 10) : 2);
  execute(Reader(words + 1).sequence(), {});
}
