// Raw stacks to shown stacks: inlined frames opened up, outlined functions in the user's words, the plumbing
// of the runtimes folded away at the outer end.
#pragma once

#include <string>
#include <vector>

#include "report/finding.hpp"
#include "report/symbolizer.hpp"

namespace heddle::report {

class StackBuilder {
 public:
  StackBuilder(Symbolizer& symbolizer, const Process& process) : symbolizer_(symbolizer), process_(process) {}

  // `running` is the task whose stack this is: it decides whether GCC's `main._omp_fn.1` is a task body or a
  // parallel region, and where the body of clang's `.omp_task_entry.` was written.
  Stack build(const std::vector<Address>& addresses, std::size_t modules_seen, TaskId running);

 private:
  std::string owner_of(TaskId, std::size_t modules_seen);

  Symbolizer& symbolizer_;
  const Process& process_;
};

// `app.cpp:12`, for running text: the whole path is in the stack. Empty without a line.
std::string short_place(const Frame&);

}  // namespace heddle::report
