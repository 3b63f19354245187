#include "event/listing.hpp"

#include <cstdio>

namespace heddle::event {
namespace {

using std::string;
using std::to_string;

const char* name(DependKind kind) {
  switch (kind) {
    case DependKind::kIn:
      return "kIn";
    case DependKind::kOut:
      return "kOut";
    case DependKind::kInoutset:
      return "kInoutset";
    case DependKind::kMutexinoutset:
      return "kMutexinoutset";
    case DependKind::kAllMemory:
      return "kAllMemory";
  }
  return "?";
}
const char* name(SpawnKind kind) {
  switch (kind) {
    case SpawnKind::kTask:
      return "kTask";
    case SpawnKind::kUndeferred:
      return "kUndeferred";
    case SpawnKind::kThread:
      return "kThread";
    case SpawnKind::kBeside:
      return "kBeside";
  }
  return "?";
}

string hex(u64 value) {
  char text[32];
  snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

string words(const std::vector<Depend>& depends) {
  string text;
  for (const Depend& d : depends) {
    text += string(text.empty() ? "" : ", ") + (name(d.kind) + 1);
    if (d.kind != DependKind::kAllMemory) text += " " + to_string(d.address);
  }
  return text;
}
string code(const std::vector<Depend>& depends) {
  string text;
  for (const Depend& d : depends)
    text +=
        string(text.empty() ? "" : ", ") + "{" + to_string(d.address) + ", DependKind::" + name(d.kind) + "}";
  return "{" + text + "}";
}

string mode(bool write) { return write ? "to write" : "to read"; }
string truth(bool value) { return value ? "true" : "false"; }

string what(const Event& event) {
  return std::visit(
      Handlers{
          [](const Spawn& e) {
            string text = e.kind == SpawnKind::kThread       ? "creates thread "
                          : e.kind == SpawnKind::kUndeferred ? "spawns undeferred task "
                          : e.kind == SpawnKind::kBeside     ? "spawns beside itself task "
                                                             : "spawns task ";
            return text + to_string(e.child) + (e.depends.empty() ? "" : " depend(" + words(e.depends) + ")");
          },
          [](const Begin& e) { return "begins on thread " + to_string(e.thread); },
          [](const End&) { return string("ends"); },
          [](const JoinThread& e) { return "joins thread " + to_string(e.child); },
          [](const DetachThread& e) { return "detaches thread " + to_string(e.child); },
          [](const WaitChildren&) { return string("waits for its children"); },
          [](const WaitDepend& e) { return "waits for depend(" + words(e.depends) + ")"; },
          [](const GroupOpen&) { return string("opens a group"); },
          [](const GroupClose&) { return string("closes the group"); },
          [](const Fork& e) { return "forks team " + to_string(e.team); },
          [](const TeamBegin& e) {
            return "begins in team " + to_string(e.team) + " on thread " + to_string(e.thread);
          },
          [](const WorkBegin& e) {
            return "begins as work of team " + to_string(e.team) + " on thread " + to_string(e.thread);
          },
          [](const BarrierArrive& e) { return "arrives at the barrier of team " + to_string(e.team); },
          [](const BarrierLeave& e) { return "leaves the barrier of team " + to_string(e.team); },
          [](const Join& e) { return "joins team " + to_string(e.team); },
          [](const Signal& e) {
            return (e.replace ? "signals (replacing) object " : "signals object ") + to_string(e.object);
          },
          [](const Await& e) { return "awaits object " + to_string(e.object); },
          [](const Acquire& e) {
            return (e.tries ? "tries and acquires lock " : "acquires lock ") + to_string(e.lock) + " " +
                   mode(e.write);
          },
          [](const Release& e) { return "releases lock " + to_string(e.lock) + " held " + mode(e.write); },
          [](const Bind&) { return string("asks for its thread number"); },
          [](const Access& e) {
            return string(e.write ? "writes " : "reads ") + to_string(e.size) + " bytes at " +
                   hex(e.address) + (e.atomic ? " atomically" : "") + (e.bound ? " of its thread" : "") +
                   (e.site ? " from site " + to_string(e.site) : "");
          },
          [](const NewMemory& e) {
            return "gets " + to_string(e.size) + " bytes of new memory at " + hex(e.address);
          },
      },
      event);
}

string code(const Event& event) {
  auto one = [](const char* type, u32 task) { return string(type) + "{" + to_string(task) + "}"; };
  auto two = [](const char* type, u32 a, u32 b) {
    return string(type) + "{" + to_string(a) + ", " + to_string(b) + "}";
  };
  auto three = [](const char* type, u32 a, u32 b, const string& c) {
    return string(type) + "{" + to_string(a) + ", " + to_string(b) + ", " + c + "}";
  };
  return std::visit(
      Handlers{
          [&](const Spawn& e) {
            if (e.kind == SpawnKind::kTask && e.depends.empty()) return two("Spawn", e.task, e.child);
            return three(
                "Spawn", e.task, e.child,
                string("SpawnKind::") + name(e.kind) + (e.depends.empty() ? "" : ", " + code(e.depends)));
          },
          [&](const Begin& e) { return two("Begin", e.task, e.thread); },
          [&](const End& e) { return one("End", e.task); },
          [&](const JoinThread& e) { return two("JoinThread", e.task, e.child); },
          [&](const DetachThread& e) { return two("DetachThread", e.task, e.child); },
          [&](const WaitChildren& e) { return one("WaitChildren", e.task); },
          [&](const WaitDepend& e) {
            return "WaitDepend{" + to_string(e.task) + ", " + code(e.depends) + "}";
          },
          [&](const GroupOpen& e) { return one("GroupOpen", e.task); },
          [&](const GroupClose& e) { return one("GroupClose", e.task); },
          [&](const Fork& e) { return two("Fork", e.task, e.team); },
          [&](const TeamBegin& e) { return three("TeamBegin", e.task, e.team, to_string(e.thread)); },
          [&](const WorkBegin& e) { return three("WorkBegin", e.task, e.team, to_string(e.thread)); },
          [&](const BarrierArrive& e) { return two("BarrierArrive", e.task, e.team); },
          [&](const BarrierLeave& e) { return two("BarrierLeave", e.task, e.team); },
          [&](const Join& e) { return two("Join", e.task, e.team); },
          [&](const Signal& e) { return three("Signal", e.task, e.object, truth(e.replace)); },
          [&](const Await& e) { return two("Await", e.task, e.object); },
          [&](const Acquire& e) {
            std::string text = three("Acquire", e.task, e.lock, truth(e.write));
            if (!e.tries && !e.site) return text;
            text.pop_back();
            text += std::string(", ") + truth(e.tries);
            return text + (e.site ? ", " + to_string(e.site) : "") + "}";
          },
          [&](const Release& e) { return three("Release", e.task, e.lock, truth(e.write)); },
          [&](const Bind& e) { return one("Bind", e.task); },
          [&](const Access& e) {
            return "Access{" + to_string(e.task) + ", " + hex(e.address) + ", " + to_string(e.size) + ", " +
                   truth(e.write) + ", " + truth(e.atomic) +
                   (e.site || e.bound ? ", " + to_string(e.site) : "") + (e.bound ? ", true" : "") + "}";
          },
          [&](const NewMemory& e) {
            return "NewMemory{" + to_string(e.task) + ", " + hex(e.address) + ", " + to_string(e.size) + "}";
          },
      },
      event);
}

}  // namespace

string describe(const Event& event) { return "task " + to_string(task_of(event)) + " " + what(event); }

string listing(const History& history) {
  string text;
  for (usize i = 0; i < history.size(); ++i) {
    char number[32];
    snprintf(number, sizeof number, "%4zu  ", i);
    text += number + describe(history[i]) + "\n";
  }
  return text;
}

string as_code(const History& history) {
  string text = "History history = {\n";
  for (const Event& event : history) text += "    " + code(event) + ",\n";
  return text + "};\n";
}

}  // namespace heddle::event
