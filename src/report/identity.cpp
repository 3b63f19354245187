#include "report/identity.hpp"

namespace heddle::report {
namespace {

std::string call_site(const Frame& frame) {
  if (frame.line > 0) return frame.function + ":" + std::to_string(frame.line);
  return frame.function.empty() ? frame.module + "+" + std::to_string(frame.offset) : frame.function;
}

}  // namespace

std::string Identities::creation(const Stack& stack, std::uint64_t count, const std::string& creator) const {
  std::string text;
  std::size_t sites = 0;
  for (std::size_t i = stack.user; i < stack.shown && sites < depth; ++i) {
    if (stack.frames[i].runtime) continue;
    text += (sites++ ? " < " : "") + call_site(stack.frames[i]);
  }
  if (abstraction != Abstraction::Index) return text;
  return text + " #" + std::to_string(count) + (creator.empty() ? "" : " by (" + creator + ")");
}

std::string Identities::of(const Task& task, const std::string& creator) const {
  if (task.parent == 0 || abstraction == Abstraction::Trivial) return task.kind;
  if (!task.count) return "";
  return task.kind + " " + creation(task.created, *task.count, creator);
}

std::string Identities::of(const Lock& lock, const Variable& memory, const std::string& creator) const {
  if (abstraction == Abstraction::Trivial) return lock.kind;
  if (memory.kind == LocationKind::Heap)
    return memory.count ? lock.kind + " +" + std::to_string(memory.offset) + " in " +
                              creation(memory.allocated, *memory.count, creator)
                        : "";
  const std::string& name = lock.name.empty() ? memory.name : lock.name;
  return name.empty() ? "" : lock.kind + " " + name;
}

}  // namespace heddle::report
