// Reads the JSON lines of docs/raw-log.md. A line is one event; lines of a type we do not know are from a
// newer runtime and are skipped.
#include "report/raw_log.hpp"

#include <cstdlib>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "support/files.hpp"

namespace heddle::report {
namespace {

using Json = nlohmann::json;

Address parse_address(const Json& json) {
  if (json.is_number_unsigned()) return json.get<Address>();
  const std::string& text = json.get_ref<const std::string&>();
  char* end = nullptr;
  const Address value = std::strtoull(text.c_str(), &end, 16);
  if (text.empty() || *end != '\0') throw std::runtime_error("'" + text + "' is not an address");
  return value;
}

Address address_or_zero(const Json& json, const char* key) {
  const auto it = json.find(key);
  return it == json.end() ? 0 : parse_address(*it);
}

std::uint64_t number_or_zero(const Json& json, const char* key) { return json.value(key, std::uint64_t{0}); }

std::vector<Address> parse_stack(const Json& json, const char* key) {
  std::vector<Address> stack;
  if (const auto it = json.find(key); it != json.end())
    for (const Json& pc : *it) stack.push_back(parse_address(pc));
  return stack;
}

std::optional<std::uint64_t> number_if_any(const Json& json, const char* key) {
  const auto it = json.find(key);
  return it == json.end() ? std::nullopt : std::optional(it->get<std::uint64_t>());
}

RawLock parse_lock(const Json& json) {
  return {number_or_zero(json, "id"), json.value("kind", "lock"), address_or_zero(json, "address"),
          json.value("mode", "write")};
}

std::vector<RawLock> parse_locks(const Json& json, const char* key) {
  std::vector<RawLock> locks;
  if (const auto it = json.find(key); it != json.end())
    for (const Json& lock : *it) locks.push_back(parse_lock(lock));
  return locks;
}

RawAccess parse_access(const Json& json) {
  RawAccess access;
  access.op = json.at("op").get<std::string>();
  access.atomic = json.value("atomic", false);
  access.address = address_or_zero(json, "address");
  access.size = number_or_zero(json, "size");
  access.stack = parse_stack(json, "stack");
  access.task = number_or_zero(json, "task");
  access.thread = number_or_zero(json, "thread");
  access.locks = parse_locks(json, "locks");
  return access;
}

RawStall parse_stall(const Json& json) {
  RawStall stall;
  stall.kind = json.value("kind", "deadlock");
  for (const Json& actor : json.at("actors")) {
    RawWaiter waiter;
    waiter.name = actor.at("name").get<std::string>();
    waiter.kind = actor.value("kind", "thread");
    waiter.waits = actor.value("waits", "");
    waiter.thread = number_or_zero(actor, "thread");
    waiter.task = number_or_zero(actor, "task");
    if (const auto lock = actor.find("lock"); lock != actor.end()) waiter.lock = parse_lock(*lock);
    waiter.holder = actor.value("holder", "");
    waiter.holds = parse_locks(actor, "holds");
    waiter.stack = parse_stack(actor, "stack");
    stall.waiters.push_back(std::move(waiter));
  }
  return stall;
}

LocationKind parse_location_kind(const std::string& kind) {
  if (kind == "heap") return LocationKind::Heap;
  if (kind == "stack") return LocationKind::Stack;
  if (kind == "tls") return LocationKind::Tls;
  if (kind == "global") return LocationKind::Global;
  return LocationKind::Unknown;
}

RawLocation parse_location(const Json& json) {
  RawLocation location;
  location.kind = parse_location_kind(json.value("kind", "unknown"));
  location.base = address_or_zero(json, "base");
  location.size = number_or_zero(json, "size");
  location.offset = number_or_zero(json, "offset");
  location.stack = parse_stack(json, "stack");
  location.task = number_or_zero(json, "task");
  location.count = number_if_any(json, "count");
  location.freed = json.value("freed", false);
  location.thread = number_or_zero(json, "thread");
  if (json.contains("frame")) location.frame = parse_address(json.at("frame"));
  if (json.contains("cfa_hint")) location.frame_pointer = parse_address(json.at("cfa_hint"));
  return location;
}

Evidence parse_evidence(const Json& json) {
  const std::string evidence = json.at("evidence").get<std::string>();
  if (evidence != "certain" && evidence != "predicted")
    throw std::runtime_error("unknown evidence '" + evidence + "'");
  return evidence == "certain" ? Evidence::Certain : Evidence::Predicted;
}

RawAcquisition parse_acquisition(const Json& json) {
  RawAcquisition acquisition{parse_lock(json), {}, parse_stack(json, "stack"), address_or_zero(json, "name")};
  if (const auto location = json.find("location"); location != json.end())
    acquisition.location = parse_location(*location);
  return acquisition;
}

RawDeadlock parse_deadlock(const Json& json) {
  RawDeadlock deadlock{number_or_zero(json, "id"), parse_evidence(json), {}, 0};
  for (const Json& each : json.at("edges")) {
    RawDeadlock::Edge edge{number_or_zero(each, "task"),
                           number_or_zero(each, "thread"),
                           address_or_zero(each, "name"),
                           parse_acquisition(each.at("wants")),
                           {}};
    for (const Json& held : each.at("holds")) edge.holds.push_back(parse_acquisition(held));
    deadlock.edges.push_back(std::move(edge));
  }
  if (deadlock.edges.size() < 2) throw std::runtime_error("a deadlock of fewer than two tasks");
  return deadlock;
}

RawRace parse_race(const Json& json, bool is_violation) {
  RawRace race;
  race.id = number_or_zero(json, "id");
  race.evidence = parse_evidence(json);
  race.unless = json.value("unless", "");
  race.address = address_or_zero(json, "address");
  race.size = number_or_zero(json, "size");
  race.first = parse_access(json.at("first"));
  if (is_violation) {
    race.second = parse_access(json.at("intruder"));
    race.last = parse_access(json.at("last"));
    race.group = parse_stack(json, "group");
  } else {
    race.second = parse_access(json.at("second"));
  }
  if (const auto location = json.find("location"); location != json.end())
    race.location = parse_location(*location);
  return race;
}

// Processes may run at the same time; after an exec the same one starts anew. Without a pid: the last.
Process& process_of(RawLog& log, std::uint64_t pid) {
  for (std::size_t i = log.processes.size(); pid != 0 && i-- > 0;)
    if (log.processes[i].pid == pid) return log.processes[i];
  return log.processes.back();
}

void read_line(const Json& json, RawLog& log) {
  const std::string type = json.at("type").get<std::string>();
  if (type == "run") {
    log.run = RunLine{json.value("command", std::vector<std::string>{}),
                      json.value("options", std::vector<std::string>{}),
                      json.value("environment", std::vector<std::string>{}), json.value("directory", "")};
    return;
  }
  if (type == "exit") {
    log.exit = ExitLine{json.value("code", 0), json.value("signal", 0)};
    return;
  }
  if (type == "start") {
    Process process;
    process.pid = number_or_zero(json, "pid");
    process.exe = json.value("exe", "");
    process.has_options = json.value("options", true);
    process.checks = json.value("checks", process.checks);
    log.processes.push_back(std::move(process));
    return;
  }
  if (type == "fork" || type == "exec") {
    log.forked[number_or_zero(json, "pid")] = type == "exec";
    return;
  }
  if (log.processes.empty()) throw std::runtime_error("'" + type + "' before any 'start'");
  Process& process = process_of(log, number_or_zero(json, "pid"));
  if (type == "module") {
    process.modules.push_back({json.at("path").get<std::string>(), address_or_zero(json, "base"),
                               address_or_zero(json, "begin"), address_or_zero(json, "end")});
  } else if (type == "task") {
    RawTask task;
    task.id = json.at("id").get<TaskId>();
    task.kind = json.value("kind", "task");
    task.parent = number_or_zero(json, "parent");
    task.thread = number_or_zero(json, "thread");
    task.created = parse_stack(json, "created");
    task.count = number_if_any(json, "count");
    process.tasks.insert_or_assign(task.id, std::move(task));
  } else if (type == "race" || type == "violation") {
    RawRace race = parse_race(json, type == "violation");
    race.modules_seen = process.modules.size();
    process.races.push_back(std::move(race));
  } else if (type == "deadlock") {
    process.deadlocks.push_back(parse_deadlock(json));
    process.deadlocks.back().modules_seen = process.modules.size();
  } else if (type == "stall") {
    process.stall = parse_stall(json);
  } else if (type == "hits") {
    // Written whenever a log is closed in an orderly way, so possibly twice: the last count is the whole
    // count.
    process.hits[json.at("id").get<std::uint64_t>()] = number_or_zero(json, "count");
  } else if (type == "stats") {
    for (const auto& [name, value] : json.items())
      if (name != "type" && name != "pid")
        process.stats[name] = value.is_string() ? value.get<std::string>() : value.dump();
  } else if (type == "warning") {
    process.warnings.push_back(json.value("text", ""));
  } else if (type == "not analysed") {
    process.not_analysed.push_back(json.value("text", ""));
  } else if (type == "end") {
    process.end_reason = json.value("reason", "exit");
  }
}

}  // namespace

RawLog read_raw_log(std::string_view text) {
  RawLog log;
  const std::size_t last = text.rfind('\n');
  const std::string_view whole = text.substr(0, last == text.npos ? 0 : last + 1);
  log.is_cut_off = whole.size() < text.size();
  std::size_t number = 0;
  for (const std::string_view line : lines_of(whole)) {
    ++number;
    if (line.empty()) continue;
    try {
      read_line(Json::parse(line), log);
    } catch (const std::bad_alloc&) {
      throw;  // the line is all right
    } catch (const std::exception& problem) {
      log.complaints.push_back("line " + std::to_string(number) + " of the raw log: " + problem.what());
    }
  }
  return log;
}

Result<RawLog> read_raw_log_file(const std::string& path) {
  const auto text = read_file(path);
  if (!text) return Error{"cannot read the raw log '" + path + "': " + text.error()};
  return read_raw_log(*text);
}

std::string what_is_missing(const RawLog& log) {
  if (!log.run && log.processes.empty()) return "it is not a raw log of Heddle, or an empty one";
  if (!log.complaints.empty()) return log.complaints.front();
  if (log.is_cut_off) return "it is cut off within its last line";
  if (!log.exit) return "it is cut off: the end of the run is not in it";
  return "";
}

std::string to_json_line(const RunLine& run) {
  const Json json = {{"type", "run"},
                     {"command", run.command},
                     {"options", run.options},
                     {"environment", run.environment},
                     {"directory", run.directory}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string to_json_line(const ExitLine& exit) {
  return Json{{"type", "exit"}, {"code", exit.code}, {"signal", exit.signal}}.dump() + "\n";
}

const Module* module_at(const Process& process, Address address, std::size_t modules_seen) {
  // Newest first, so that a list written again after a dlopen wins over an older one.
  for (std::size_t i = std::min(modules_seen, process.modules.size()); i-- > 0;) {
    const Module& module = process.modules[i];
    if (module.begin <= address && address < module.end) return &module;
  }
  return nullptr;
}

}  // namespace heddle::report
