#include "report/resolver.hpp"

#include <filesystem>
#include <set>

#include "output/hex.hpp"
#include "report/cycle.hpp"
#include "report/interleaving.hpp"
#include "report/ordering.hpp"

namespace heddle::report {
namespace {

using output::hex;

std::string bytes(std::uint64_t count) { return std::to_string(count) + (count == 1 ? " byte" : " bytes"); }

std::string op_words(const Access& access) {
  if (access.op == "free") return "free";
  return (access.atomic ? "atomic " : "") + access.op + " of " + bytes(access.size);
}

std::string headline(const Access& first, const Access& second, const std::string& variable) {
  std::string object;
  if (!variable.empty())
    object = (first.op == "write" ? " to `" : first.op == "read" ? " from `" : " of `") + variable + "`";
  return op_words(first) + object + place_words(first) + " and " + op_words(second) + place_words(second) +
         " are unordered";
}

// A lock is a whole object to its user: `left`, not the `left._lk` inside.
std::string whole_object(const std::string& name) { return name.substr(0, name.find("._")); }

// GCC and clang keep the lock of a critical construct in a variable of their own.
std::string critical_name(const std::string& symbol) {
  for (const std::string_view prefix : {".gomp_critical_user_", "_gomp_critical_user_"})
    if (symbol.starts_with(prefix)) {
      std::string name = symbol.substr(prefix.size());
      if (name.ends_with(".var")) name.resize(name.size() - 4);
      return name;
    }
  return symbol;
}

}  // namespace

Stack Resolver::stack_of(const RawAccess& access, const RawRace& race) {
  return stacks_.build(access.stack, race.modules_seen, access.task);
}

std::optional<VariableName> Resolver::variable_name(const RawRace& race) {
  const RawLocation& at = race.location;
  if (at.kind == LocationKind::Global || at.kind == LocationKind::Unknown) {
    const Module* module = module_at(process_, race.address, race.modules_seen);
    if (!module) return std::nullopt;
    std::vector<Address> nearby;
    for (const RawAccess* access : {&race.first, &race.second})
      if (!access->stack.empty()) nearby.push_back(access->stack.front());
    return symbolizer_.global(*module, race.address, race.size, nearby);
  }
  if (at.kind == LocationKind::Stack && at.frame && at.frame_pointer)
    if (const Module* module = module_at(process_, *at.frame, race.modules_seen))
      return symbolizer_.local(*module, *at.frame, *at.frame_pointer, race.address, race.size);
  return std::nullopt;
}

Finding Resolver::finding(const RawRace& race) { return race.last ? violation(race) : this->race(race); }

Conflict Resolver::conflict(const RawRace& raw, Finding& result) {
  result.evidence = raw.evidence;
  result.pid = process_.pid;
  Conflict made;
  made.address = raw.address;
  made.size = raw.size;
  made.first = access(raw.first, raw);
  made.second = access(raw.second, raw);
  made.variable = variable(raw);
  const TaskTree tree = task_tree(process_, raw.first.task, raw.second.task);
  for (const auto* side : {&tree.first, &tree.second})
    for (const TaskId id : *side) result.tasks.push_back(task(id, raw.modules_seen));
  if (tree.common) result.tasks.push_back(task(*tree.common, raw.modules_seen));
  made.common_task = tree.common;
  made.ordering = ordering_sentence(tree, process_, made.first, made.second);
  return made;
}

Finding Resolver::race(const RawRace& raw) {
  Finding result;
  Race race{conflict(raw, result)};
  result.hint = raw.unless.empty() ? protection_hint(race.first, race.second, raw.evidence)
                                   : ownership_hint(raw.unless);
  result.headline = headline(race.first, race.second, race.variable.name);
  result.kind = std::move(race);
  return result;
}

Finding Resolver::violation(const RawRace& raw) {
  Finding result;
  Violation violation{conflict(raw, result), access(*raw.last, raw), "", {}, {}};
  for (const Access* each : {&violation.first, &violation.second, &violation.last})
    violation.pattern += (violation.pattern.empty() ? "" : "-") + std::string(each->op == "read" ? "R" : "W");
  for (const Address address : raw.group) {
    RawRace member;
    member.address = address;
    member.size = 1;
    member.location.kind = LocationKind::Unknown;
    member.modules_seen = raw.modules_seen;
    const auto name = variable_name(member);
    violation.group.push_back(name ? name->name : hex(address));
  }
  violation.interleaving = interleaving(violation);
  result.headline = violation_headline(violation);
  result.hint = violation_hint(violation);
  result.kind = std::move(violation);
  return result;
}

Acquisition Resolver::acquisition(const RawAcquisition& raw, TaskId task, std::size_t modules_seen) {
  Acquisition result;
  result.lock = named_lock(raw.lock, modules_seen);
  result.stack = stacks_.build(raw.stack, modules_seen, task);
  result.quote = source_.quote(result.stack.user_frame());
  RawRace place;
  place.address = raw.lock.address;
  place.size = 1;
  place.location = raw.location;
  place.modules_seen = modules_seen;
  result.variable = variable(place);
  if (result.lock.name.empty()) result.lock.name = whole_object(result.variable.name);
  const std::string creator = result.variable.task ? identity(result.variable.task, modules_seen) : "";
  result.identity = identities_.of(result.lock, result.variable, creator);
  result.code = raw.name;
  return result;
}

Finding Resolver::finding(const RawDeadlock& raw) {
  Finding result;
  result.evidence = raw.evidence;
  result.pid = process_.pid;
  Deadlock deadlock;
  for (const RawDeadlock::Edge& each : raw.edges) {
    Deadlock::Edge edge{each.task, each.thread, acquisition(each.wants, each.task, raw.modules_seen),
                        {},        0,           each.name};
    for (const RawAcquisition& held : each.holds)
      edge.holds.push_back(acquisition(held, each.task, raw.modules_seen));
    deadlock.edges.push_back(std::move(edge));
  }
  for (std::size_t i = 0; i < deadlock.edges.size(); ++i) {
    const Lock& wanted = deadlock.edges[i].wants.lock;
    Deadlock::Edge& next = deadlock.edges[(i + 1) % deadlock.edges.size()];
    for (std::size_t held = 0; held < next.holds.size(); ++held)
      if (next.holds[held].lock.id == wanted.id) next.held_for = held;
  }
  std::set<TaskId> named;
  for (const RawDeadlock::Edge& edge : raw.edges)
    for (TaskId id = edge.task; id != 0 && named.insert(id).second;) {
      result.tasks.push_back(task(id, raw.modules_seen));
      id = result.tasks.back().parent;
    }
  result.headline = deadlock_headline(deadlock);
  result.hint = deadlock_hint(deadlock);
  deadlock.steps = deadlock_steps(deadlock);
  result.kind = std::move(deadlock);
  return result;
}

std::vector<Stack> Resolver::stacks_of(const RawDeadlock& raw) {
  std::vector<Stack> stacks;
  for (const RawDeadlock::Edge& edge : raw.edges)
    stacks.push_back(stacks_.build(edge.wants.stack, raw.modules_seen, edge.task));
  for (const RawDeadlock::Edge& edge : raw.edges)
    for (const RawAcquisition& held : edge.holds)
      stacks.push_back(stacks_.build(held.stack, raw.modules_seen, edge.task));
  return stacks;
}

std::vector<std::string> Resolver::lock_names(const RawDeadlock& raw) {
  std::vector<std::string> names;
  for (const RawDeadlock::Edge& edge : raw.edges)
    names.push_back(acquisition(edge.wants, edge.task, raw.modules_seen).lock.name);
  return names;
}

Access Resolver::access(const RawAccess& raw, const RawRace& race) {
  Access result;
  result.op = raw.op;
  result.atomic = raw.atomic;
  result.size = raw.size;
  result.address = raw.address;
  result.stack = stack_of(raw, race);
  result.quote = source_.quote(result.stack.user_frame());
  result.task = raw.task;
  result.thread = raw.thread;
  for (const RawLock& lock : raw.locks) result.locks.push_back(named_lock(lock, race.modules_seen));
  return result;
}

Lock Resolver::named_lock(const RawLock& raw, std::size_t modules_seen) {
  Lock lock{raw.id, raw.kind, raw.mode, raw.address, ""};
  if (raw.address == 0) return lock;
  if (const Module* module = module_at(process_, raw.address, modules_seen))
    if (const auto name = symbolizer_.global(*module, raw.address, 0, {}))
      lock.name = critical_name(whole_object(name->name));
  return lock;
}

Stall Resolver::stall() {
  Stall result{process_.stall->kind, process_.pid, {}};
  const std::size_t modules = process_.modules.size();
  for (const RawWaiter& raw : process_.stall->waiters) {
    Waiter waiter{raw.name, raw.kind, raw.waits, std::nullopt, raw.holder, {}, {}, std::nullopt};
    if (raw.lock) waiter.lock = named_lock(*raw.lock, modules);
    for (const RawLock& lock : raw.holds) waiter.holds.push_back(named_lock(lock, modules));
    waiter.stack = stacks_.build(raw.stack, modules, raw.task);
    waiter.quote = source_.quote(waiter.stack.user_frame());
    result.waiters.push_back(std::move(waiter));
  }
  return result;
}

Task Resolver::task(TaskId id, std::size_t modules_seen) {
  Task result;
  result.id = id;
  const auto raw = process_.tasks.find(id);
  if (raw == process_.tasks.end()) {
    result.kind = "task";
    return result;
  }
  result.kind = raw->second.kind;
  result.parent = raw->second.parent;
  result.thread = raw->second.thread;
  result.created = stacks_.build(raw->second.created, modules_seen, raw->second.parent);
  result.quote = source_.quote(result.created.user_frame());
  result.count = raw->second.count;
  result.identity = identities_.of(result, result.parent ? identity(result.parent, modules_seen) : "");
  return result;
}

// The initial thread needs no word: only it has no creator.
std::string Resolver::identity(TaskId id, std::size_t modules_seen) {
  const auto raw = process_.tasks.find(id);
  if (raw == process_.tasks.end() || raw->second.parent == 0) return "";
  const auto [known, is_new] = known_identities_.try_emplace(id);
  if (is_new) known->second = task(id, modules_seen).identity;
  return known->second;
}

Variable Resolver::variable(const RawRace& race) {
  const RawLocation& at = race.location;
  Variable result;
  result.kind = at.kind;
  result.address = race.address;
  result.thread = at.thread;
  const auto name = variable_name(race);
  if (name) {
    result.name = name->name;
    result.type = name->type;
    if (name->declared)
      result.declared =
          symbolizer_.shown_path(name->declared->path) + ":" + std::to_string(name->declared->line);
    if (result.kind == LocationKind::Unknown) result.kind = LocationKind::Global;
  }
  if (at.kind == LocationKind::Heap) {
    result.block_size = at.size;
    result.offset = at.offset;
    result.task = at.task;
    result.count = at.count;
    result.freed = at.freed;
    result.allocated = stacks_.build(at.stack, race.modules_seen, at.task);
  }
  result.description = description(result, race);
  return result;
}

std::string Resolver::description(const Variable& variable, const RawRace& race) {
  const RawLocation& at = race.location;
  const std::string thread = "thread " + std::to_string(at.thread);
  std::string named;
  if (!variable.name.empty()) {
    named = "`" + variable.name + "`";
    if (!variable.type.empty()) named += " (" + variable.type + ")";
  }
  const std::string declared = variable.declared.empty() ? "" : ", declared at " + variable.declared;
  switch (variable.kind) {
    case LocationKind::Global: {
      if (!named.empty()) return named + ", a global variable" + declared;
      const Module* module = module_at(process_, race.address, race.modules_seen);
      return hex(race.address) + ", global data" +
             (module ? " of " + std::filesystem::path(module->path).filename().string() : "");
    }
    case LocationKind::Heap:
      return bytes(race.size) + " at offset " + std::to_string(at.offset) + " of a heap block of " +
             bytes(at.size) + (at.task ? ", allocated by task " + std::to_string(at.task) : "") +
             (at.freed ? ", freed since" : "");
    case LocationKind::Stack: {
      if (!named.empty()) return named + ", a local variable on the stack of " + thread + declared;
      std::string frame;
      if (at.frame) {
        const Stack owner = stacks_.build({*at.frame + 1}, race.modules_seen, 0);
        if (!owner.empty() && !owner.frames.back().function.empty())
          frame = ", in the frame of " + owner.frames.back().function;
      }
      return "on the stack of " + thread + frame;
    }
    case LocationKind::Tls:
      return "thread-local storage of " + thread;
    case LocationKind::Unknown:
      break;
  }
  return hex(race.address) + ", memory of unknown origin";
}

}  // namespace heddle::report
