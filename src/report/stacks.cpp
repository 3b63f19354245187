#include "report/stacks.hpp"

#include "model/words.hpp"
#include "report/names.hpp"

namespace heddle::report {
namespace {

using Kind = Outlined::Kind;

// clang wraps each body: `.omp_task_entry.` calls `.omp_outlined.`, `f.omp_outlined` calls
// `f.omp_outlined_debug__`. The wrapper has no line of the user's; the body alone is enough.
bool wraps(const Frame& outer, const Frame& inner) {
  const auto around = outlined(outer.linkage_name), body = outlined(inner.linkage_name);
  if (!around || !body) return false;
  if (around->kind == Kind::TaskEntry) return body->kind == Kind::TaskBody;
  return around->kind == Kind::Parallel && inner.linkage_name == outer.linkage_name + "_debug__";
}

std::string words_for(const Outlined& construct, bool innermost, bool task_body, const std::string& creator) {
  const std::string owner = construct.owner.empty() ? creator : construct.owner;
  const std::string in = owner.empty() ? "" : " in " + owner;
  switch (construct.kind) {
    case Kind::Parallel:
      return "parallel region" + in;
    case Kind::TaskBody:
    case Kind::TaskEntry:
      return "task body" + in;
    case Kind::Region:
      break;
  }
  // Frames further out belong to whatever task this thread had suspended, which the name does not show.
  if (!innermost) return "OpenMP region" + in;
  return (task_body ? "task body" : "parallel region") + in;
}

}  // namespace

std::string short_place(const Frame& frame) {
  if (frame.line <= 0) return "";
  // A relative path is short and distinguishes files of one name; an absolute one drowns the sentence it stands
  // in.
  const bool absolute = frame.file.starts_with('/');
  return (absolute ? frame.file.substr(frame.file.rfind('/') + 1) : frame.file) + ":" +
         std::to_string(frame.line);
}

std::string StackBuilder::owner_of(TaskId id, std::size_t modules_seen) {
  const auto task = process_.tasks.find(id);
  if (task == process_.tasks.end()) return "";
  for (const Address pc : task->second.created)
    for (const Frame& frame : symbolizer_.frames(module_at(process_, pc - 1, modules_seen), pc)) {
      if (frame.runtime || frame.linkage_name.empty()) continue;
      const auto construct = outlined(frame.linkage_name);
      if (!construct) return frame.function;
      if (!construct->owner.empty()) return construct->owner;
      return owner_of(task->second.parent, modules_seen);
    }
  return "";
}

Stack StackBuilder::build(const std::vector<Address>& addresses, std::size_t modules_seen, TaskId running) {
  Stack stack;
  for (const Address pc : addresses)
    for (const Frame& frame : symbolizer_.frames(module_at(process_, pc - 1, modules_seen), pc)) {
      if (stack.frames.empty() || !wraps(frame, stack.frames.back()))
        stack.frames.push_back(frame);
      else
        stack.frames.back().inlined = frame.inlined;
    }

  const auto task = process_.tasks.find(running);
  const bool task_body =
      task != process_.tasks.end() && model::is_of(task->second.kind, model::Family::kOpenMpTask);
  bool innermost = true;
  for (Frame& frame : stack.frames)
    if (const auto construct = outlined(frame.linkage_name)) {
      const std::string creator = construct->owner.empty() ? owner_of(running, modules_seen) : "";
      frame.function = words_for(*construct, innermost, task_body, creator);
      innermost = false;
    }

  stack.shown = stack.frames.size();
  while (stack.shown > 1 && stack.frames[stack.shown - 1].runtime) --stack.shown;

  // The innermost frame that is the user's own; libstdc++ code instantiated in the program counts only if
  // nothing else is there.
  stack.user = stack.frames.size();
  for (std::size_t i = stack.frames.size(); i-- > 0;)
    if (!stack.frames[i].runtime && !stack.frames[i].system) stack.user = i;
  if (stack.user == stack.frames.size() && !stack.frames.empty()) stack.user = 0;
  return stack;
}

}  // namespace heddle::report
