// A random program on oneTBB as a tree: the bodies, and the algorithms that run them. `random.cpp` generates such
// programs and determines which of their accesses race; `interpreter.cpp` executes them. Both share this file, so
// that they agree on the meaning of a program.
//
// There are no loops and no branches that depend on data: each access is made once, and its number identifies it.
#pragma once

#include <istream>
#include <ostream>
#include <string>
#include <vector>

namespace structure {

enum class Op : char {
  kAccess = 'a',      // numbers: site, cell, whether it writes, lock or -1
  kGroup = 'g',       // a task_group around bodies[0], awaited at its end
  kRun = 'r',         // numbers: which of the groups around, the outermost being 0; bodies[0] is its task
  kWait = 'w',        // for the innermost group
  kRunAndWait = 'R',  // bodies[0] in the innermost group
  kInvoke = 'i',      // parallel_invoke of two or three bodies
  kFor = 'f',         // parallel_for, a body per iteration
  kReduce = 'u',      // parallel_reduce, a body per leaf
  kReduceTree =
      'd',  // parallel_deterministic_reduce of n leaves: n bodies, then n - 1 joins, by where they cut the range
  kForEach = 'h',  // parallel_for_each, a body per element
  kFeed = 'n',     // bodies[0] is fed to the parallel_for_each around
  kPipeline =
      'p',  // numbers: tokens, items, then for each filter whether it is serial; bodies by item, then filter
  kContinueGraph = 'c',  // numbers: pairs of nodes, the edges; a body per node
  kMessages = 'm',       // numbers: messages, nodes in a row; bodies by message, then node
  kArena = 'e',          // task_arena::execute
  kIsolate = 's',
  kThread = 't',  // bodies[0] in a std::thread, bodies[1] beside it
};

enum Mode { kParallel, kInOrder, kOutOfOrder };  // of a filter

struct Step;
using Body = std::vector<Step>;

struct Step {
  Op op;
  std::vector<int> numbers = {};
  std::vector<Body> bodies = {};
};

inline void write(std::ostream& out, const Body& body) {
  out << '(';
  for (const Step& step : body) {
    out << static_cast<char>(step.op) << ' ' << step.numbers.size() << ' ' << step.bodies.size();
    for (int number : step.numbers) out << ' ' << number;
    for (const Body& inner : step.bodies) write(out, inner);
    out << ' ';
  }
  out << ')';
}

inline Body read(std::istream& in) {
  Body body;
  char letter = 0;
  in >> letter;  // the parenthesis
  while (in >> letter && letter != ')') {
    std::size_t numbers = 0, bodies = 0;
    in >> numbers >> bodies;
    Step step{static_cast<Op>(letter)};
    step.numbers.resize(numbers);
    for (int& number : step.numbers) in >> number;
    for (std::size_t i = 0; i < bodies; ++i) step.bodies.push_back(read(in));
    body.push_back(std::move(step));
  }
  return body;
}

}  // namespace structure
