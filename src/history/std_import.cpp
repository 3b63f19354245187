#include "history/std_import.hpp"

namespace heddle::history {

using namespace event;

bool StdImport::malformed(const std::string& what) {
  problem_ = "line " + std::to_string(lines_.number()) + ": " + what;
  over_ = true;
  return false;
}

StdImport::Thread& StdImport::thread_state(u32 task) {
  if (task > thread_states_.size()) thread_states_.resize(task);
  return thread_states_[task - 1];
}

// Before the first operation of a thread.
bool StdImport::begin(u32 task) {
  Thread& thread = thread_state(task);
  if (thread.ended) return malformed(name_of(task) + " continues after it was joined");
  if (thread.begun) return true;
  if (!thread.spawned) events_.push_back(Spawn{0, task, SpawnKind::kThread});
  thread.spawned = thread.begun = true;
  events_.push_back(Begin{task, task});
  return true;
}

bool StdImport::acquire(u32 task, std::string_view name) {
  u32 number = locks_.number(name);
  if (number >= lock_states_.size()) lock_states_.resize(number + 1);
  Lock& lock = lock_states_[number];
  if (lock.depth > 0 && lock.owner != task)
    return malformed(name_of(task) + " acquires " + std::string(name) + ", which " + name_of(lock.owner) +
                     " holds");
  lock.owner = task;
  if (lock.depth++ > 0) return true;
  ++thread_state(task).locks;
  events_.push_back(Acquire{task, number, true});
  return true;
}

bool StdImport::release(u32 task, std::string_view name) {
  u32 number = locks_.number(name);
  if (number >= lock_states_.size()) lock_states_.resize(number + 1);
  Lock& lock = lock_states_[number];
  if (lock.depth == 0 || lock.owner != task)
    return malformed(name_of(task) + " releases " + std::string(name) + ", which it does not hold");
  if (--lock.depth > 0) return true;
  --thread_state(task).locks;
  events_.push_back(Release{task, number, true});
  return true;
}

bool StdImport::fork(u32 task, std::string_view name) {
  u32 child = threads_.number(name) + 1;
  Thread& thread = thread_state(child);
  if (thread.spawned)
    return malformed(name_of(task) + " forks " + std::string(name) + ", which is there already");
  thread.spawned = true;
  events_.push_back(Spawn{task, child, SpawnKind::kThread});
  return true;
}

bool StdImport::join(u32 task, std::string_view name) {
  u32 child = threads_.number(name) + 1;
  if (child == task) return malformed(name_of(task) + " joins itself");
  if (thread_state(child).ended) {
    events_.push_back(Await{task, child});
    return true;
  }
  if (!begin(child)) return false;
  Thread& thread = thread_state(child);
  if (thread.locks > 0)
    return malformed(name_of(task) + " joins " + std::string(name) + ", which holds a lock");
  thread.ended = true;
  events_.push_back(Signal{child, child});
  events_.push_back(End{child});
  events_.push_back(JoinThread{task, child});
  return true;
}

bool StdImport::parse(std::string_view text) {
  const usize first = text.find('|');
  if (first == std::string_view::npos || first == 0)
    return malformed("expected thread|operation(argument)|location");
  const std::string_view thread_name = text.substr(0, first);
  std::string_view rest = text.substr(first + 1);
  const usize second = rest.find('|');
  const std::string_view location = second == std::string_view::npos ? "" : rest.substr(second + 1);
  if (second != std::string_view::npos) rest = rest.substr(0, second);
  const usize open = rest.find('(');
  const std::string_view op = rest.substr(0, open);
  std::string_view argument;
  if (open != std::string_view::npos) {
    if (rest.back() != ')') return malformed("the operation's ')' is missing");
    argument = rest.substr(open + 1, rest.size() - open - 2);
  }
  const bool read = op == "r", write = op == "w", access = read || write;
  const bool silent = !access && (op == "begin" || op == "end" || op == "enter" || op == "exit" ||
                                  op == "req" || op == "branch" || op == "dummy");
  const bool known = access || silent || op == "acq" || op == "rel" || op == "fork" || op == "join";
  if (!known) return malformed("unknown operation '" + std::string(op) + "'");
  if (!silent && argument.empty()) return malformed("'" + std::string(op) + "' needs an argument");

  const u32 task = threads_.number(thread_name) + 1;
  if (!begin(task)) return false;
  if (access) {
    Record record;
    record.op = Op::kAccess;
    record.flags = write ? kWriteFlag : 0;
    record.size = 8;
    record.a = location.empty() ? 0 : sites_.number(location) + 1;
    record.address = (u64{variables_.number(argument)} + 1) * 8;
    pending_ = record;
    pending_task_ = task;
    return true;
  }
  if (silent) return true;
  if (op == "acq") return acquire(task, argument);
  if (op == "rel") return release(task, argument);
  return op == "fork" ? fork(task, argument) : join(task, argument);
}

bool StdImport::line() {
  std::string_view text;
  if (over_ || !lines_.next(text)) return false;
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text.empty() || parse(text);
}

bool StdImport::next(Batch& batch) {
  memory_.clear();
  auto give = [&](const Event* event) {
    batch = {memory_task_, memory_, event};
    return true;
  };
  while (true) {
    if (taken_ < events_.size()) return give(&events_[taken_++]);
    events_.clear();
    taken_ = 0;
    if (pending_) {
      if (!memory_.empty() && memory_task_ != pending_task_) return give(nullptr);
      memory_task_ = pending_task_;
      memory_.push_back(*pending_);
      pending_.reset();
      if (memory_.size() == kBatch) return give(nullptr);
    }
    // Drops what a malformed line had already added.
    if (!line()) {
      events_.clear();
      return memory_.empty() ? false : give(nullptr);
    }
  }
}

std::optional<Site> StdImport::site(u32 number) const {
  if (number == 0 || number > sites_.size()) return std::nullopt;
  return Site{.name = std::string(sites_.name(number - 1))};
}

}  // namespace heddle::history
