// Keys keep the order in which a reader wants them (ordered_json). Fields are added over time, never renamed;
// a change that breaks readers changes `schema`.
#include <nlohmann/json.hpp>
#include <ostream>

#include "output/hex.hpp"
#include "report/confirmation_table.hpp"
#include "report/formats.hpp"

namespace heddle::report {
namespace {

using output::hex;
using Json = nlohmann::ordered_json;

const char* name_of(LocationKind kind) {
  switch (kind) {
    case LocationKind::Global:
      return "global";
    case LocationKind::Heap:
      return "heap";
    case LocationKind::Stack:
      return "stack";
    case LocationKind::Tls:
      return "tls";
    case LocationKind::Unknown:
      break;
  }
  return "unknown";
}

Json frame_json(const Frame& frame) {
  Json json = {{"function", frame.function}};
  if (frame.full_name != frame.function) json["full_name"] = frame.full_name;
  if (!frame.path.empty()) {
    json["file"] = frame.file;
    json["path"] = frame.path;
    json["line"] = frame.line;
    json["column"] = frame.column;
  }
  json["module"] = frame.module;
  json["offset"] = hex(frame.offset);
  if (frame.inlined) json["inlined"] = true;
  if (frame.runtime) json["runtime"] = true;
  if (frame.system) json["system"] = true;
  return json;
}

Json stack_json(const Stack& stack) {
  Json json = Json::array();
  for (const Frame& frame : stack.frames) json.push_back(frame_json(frame));
  return json;
}

Json lock_json(const Lock& lock) {
  Json json = {{"id", lock.id}, {"kind", lock.kind}, {"mode", lock.mode}, {"address", hex(lock.address)}};
  if (!lock.name.empty()) json["name"] = lock.name;
  return json;
}

Json access_json(const Access& access) {
  Json json = {{"op", access.op},     {"atomic", access.atomic},
               {"size", access.size}, {"address", hex(access.address)},
               {"task", access.task}, {"thread", access.thread}};
  if (const Frame* frame = access.stack.user_frame(); frame && frame->line > 0) {
    json["file"] = frame->file;
    json["line"] = frame->line;
    json["function"] = frame->function;
  }
  json["locks"] = Json::array();
  for (const Lock& lock : access.locks) json["locks"].push_back(lock_json(lock));
  json["stack"] = stack_json(access.stack);
  return json;
}

Json variable_json(const Variable& variable) {
  Json json = {{"kind", name_of(variable.kind)}, {"description", variable.description}};
  if (!variable.name.empty()) json["name"] = variable.name;
  if (!variable.type.empty()) json["type"] = variable.type;
  if (!variable.declared.empty()) json["declared"] = variable.declared;
  if (variable.kind == LocationKind::Heap) {
    json["block_size"] = variable.block_size;
    json["offset"] = variable.offset;
    json["freed"] = variable.freed;
    json["task"] = variable.task;
    json["allocated"] = stack_json(variable.allocated);
  }
  if (variable.kind == LocationKind::Stack || variable.kind == LocationKind::Tls)
    json["thread"] = variable.thread;
  return json;
}

Json task_json(const Task& task) {
  Json json = {{"id", task.id}, {"kind", task.kind}, {"parent", task.parent}, {"thread", task.thread}};
  if (!task.identity.empty()) json["identity"] = task.identity;
  json["created"] = stack_json(task.created);
  return json;
}

Json confirmation_json(const Confirmation& confirmation) {
  Json json = {{"state", confirmation.state},
               {"tries", confirmation.tries},
               {"executions", confirmation.executions},
               {"thrashes", confirmation.thrashes}};
  if (!confirmation.why.empty()) json["why"] = confirmation.why;
  if (confirmation.state != "confirmed") return json;
  json["schedule"] = confirmation.schedule;
  json["effect"] = confirmation.effect;
  if (!confirmation.note.empty()) json["note"] = confirmation.note;
  if (confirmation.other_order) json["other_order"] = *confirmation.other_order;
  return json;
}

Json acquisition_json(const Acquisition& acquisition) {
  Json json = {{"lock", lock_json(acquisition.lock)}, {"memory", variable_json(acquisition.variable)}};
  if (!acquisition.identity.empty()) json["lock"]["identity"] = acquisition.identity;
  if (const Frame* frame = acquisition.stack.user_frame(); frame && frame->line > 0) {
    json["file"] = frame->file;
    json["line"] = frame->line;
    json["function"] = frame->function;
  }
  json["stack"] = stack_json(acquisition.stack);
  return json;
}

Json tasks_json(const Finding& finding) {
  Json json = Json::array();
  for (const Task& task : finding.tasks) json.push_back(task_json(task));
  return json;
}

Json edge_json(const Deadlock::Edge& edge) {
  Json holds = Json::array();
  for (const Acquisition& held : edge.holds) holds.push_back(acquisition_json(held));
  return {{"task", edge.task},
          {"thread", edge.thread},
          {"wants", acquisition_json(edge.wants)},
          {"holds", std::move(holds)},
          {"held_for", edge.held_for}};
}

// A writer of one finding: what all kinds have first, then what its kind has.
class FindingWriter {
 public:
  explicit FindingWriter(const Finding& finding)
      : finding_(finding),
        json_({{"number", finding.number},
               {"kind", name_of(finding)},
               {"evidence", name_of(finding.evidence)},
               {"headline", finding.headline},
               {"pid", finding.pid}}) {}

  Json operator()(const Race& race) {
    begin_conflict(race, "second");
    return end_conflict(race);
  }
  Json operator()(const Violation& violation) {
    begin_conflict(violation, "intruder");
    json_["last"] = access_json(violation.last);
    json_["pattern"] = violation.pattern;
    json_["group"] = violation.group;
    json_["interleaving"] = violation.interleaving;
    return end_conflict(violation);
  }
  Json operator()(const Deadlock& deadlock) {
    json_["edges"] = Json::array();
    for (const Deadlock::Edge& edge : deadlock.edges) json_["edges"].push_back(edge_json(edge));
    json_["tasks"] = tasks_json(finding_);
    json_["interleaving"] = deadlock.steps;
    json_["hint"] = finding_.hint;
    json_["cycles"] = finding_.pairs;
    json_["hits"] = finding_.hits;
    if (finding_.confirmation) json_["confirmation"] = confirmation_json(*finding_.confirmation);
    return json_;
  }

 private:
  void begin_conflict(const Conflict& conflict, const char* second) {
    json_["address"] = hex(conflict.address);
    json_["size"] = conflict.size;
    json_["first"] = access_json(conflict.first);
    json_[second] = access_json(conflict.second);
    json_["variable"] = variable_json(conflict.variable);
    json_["also"] = conflict.also;
    json_["tasks"] = tasks_json(finding_);
  }
  Json end_conflict(const Conflict& conflict) {
    json_["common_task"] = conflict.common_task ? Json(*conflict.common_task) : Json(nullptr);
    json_["ordering"] = conflict.ordering;
    if (!finding_.hint.empty()) json_["hint"] = finding_.hint;
    if (finding_.confirmation) json_["confirmation"] = confirmation_json(*finding_.confirmation);
    json_["pairs"] = finding_.pairs;
    json_["hits"] = finding_.hits;
    return json_;
  }

  const Finding& finding_;
  Json json_;
};

Json stall_json(const Stall& stall) {
  Json json = {{"kind", stall.kind}, {"pid", stall.pid}, {"actors", Json::array()}};
  for (const Waiter& waiter : stall.waiters) {
    Json actor = {{"name", waiter.name}, {"kind", waiter.kind}, {"waits", waiter.waits}};
    if (waiter.lock) actor["lock"] = lock_json(*waiter.lock);
    if (!waiter.holder.empty()) actor["holder"] = waiter.holder;
    actor["holds"] = Json::array();
    for (const Lock& lock : waiter.holds) actor["holds"].push_back(lock_json(lock));
    actor["stack"] = stack_json(waiter.stack);
    json["actors"].push_back(std::move(actor));
  }
  return json;
}

}  // namespace

void write_json(std::ostream& out, const Report& report) {
  Json json = {{"schema", "heddle-report-1"},
               {"version", report.version},
               {"command", report.command},
               {"directory", report.directory},
               {"reproduce", report.reproduce},
               {"exit_code", report.exit_code ? Json(*report.exit_code) : Json(nullptr)},
               {"signal", report.signal ? Json(*report.signal) : Json(nullptr)},
               {"summary",
                {{"certain", report.certain},
                 {"predicted", report.predicted},
                 {"violations", report.certain_violations},
                 {"predicted_violations", report.predicted_violations},
                 {"deadlocks", report.deadlocks},
                 {"happened_deadlocks", report.happened_deadlocks},
                 {"confirmed", count_state(report, "confirmed")},
                 {"refuted", count_state(report, "refuted")},
                 {"undecided", count_state(report, "undecided")},
                 {"suppressed", report.suppressed},
                 {"not_analysed", report.not_analysed}}},
               {"findings", Json::array()},
               {"stalls", Json::array()},
               {"unused_suppressions", Json::array()},
               {"warnings", report.warnings},
               {"stats", Json::object()}};
  for (const Finding& finding : report.findings)
    json["findings"].push_back(std::visit(FindingWriter(finding), finding.kind));
  if (report.search) json["search"] = confirmation_json(*report.search);
  for (const Stall& stall : report.stalls) json["stalls"].push_back(stall_json(stall));
  for (const UnusedSuppression& rule : report.unused_suppressions)
    json["unused_suppressions"].push_back({{"text", rule.text}, {"where", rule.where}});
  for (const auto& [name, value] : report.stats) {
    const Json number = Json::parse(value, nullptr, false);
    json["stats"][name] = number.is_number() ? number : Json(value);
  }
  // Paths and names come from the user's file system and need not be UTF-8.
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
}

}  // namespace heddle::report
