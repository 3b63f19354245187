// heddle analyze: runs any of the engines on one history; prints their findings and costs.
//
// Each engine runs in a process of its own, so that its peak memory is its own and one that runs out of it ends alone.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/site_names.hpp"
#include "cli/verb.hpp"
#include "engine/analyze.hpp"
#include "engine/lower.hpp"
#include "history/check.hpp"
#include "history/history_source.hpp"
#include "history/std_import.hpp"
#include "launch/atomic_option.hpp"
#include "output/hex.hpp"
#include "output/printable.hpp"
#include "settings/suggest.hpp"
#include "support/files.hpp"

namespace heddle::cli {
namespace {

using output::hex;
using Json = nlohmann::ordered_json;

constexpr int kFound = 66;  // as heddle run

struct Request {
  std::string file, format;
  std::vector<const engine::EngineKind*> engines;
  engine::Options options;
  launch::AtomicOption atomic;
  bool json = false;
};

std::string list_of(engine::EngineKind::Finds finds) {
  std::string text;
  for (const engine::EngineKind& kind : engine::engines()) {
    if (kind.finds != finds) continue;
    std::string name(kind.name);
    name.resize(12, ' ');
    text += "  " + name + std::string(kind.summary) + "\n";
  }
  return text;
}

std::string engine_lists() {
  return "engines for races (docs/engines.md says what each calls a race):\n" +
         list_of(engine::EngineKind::kRaces) +
         "  all         each of them, one after the other\n"
         "\n"
         "engines for atomicity violations (docs/atomicity.md):\n" +
         list_of(engine::EngineKind::kViolations) +
         "\n"
         "engines for deadlocks (docs/deadlocks.md):\n" +
         list_of(engine::EngineKind::kDeadlocks);
}

Result<std::vector<const engine::EngineKind*>> engines_named(const std::string& names) {
  std::vector<const engine::EngineKind*> result;
  for (usize from = 0; from <= names.size();) {
    usize comma = std::min(names.find(',', from), names.size());
    std::string name = names.substr(from, comma - from);
    from = comma + 1;
    if (name == "all") {
      for (const engine::EngineKind& kind : engine::engines())
        if (kind.finds == engine::EngineKind::kRaces) result.push_back(&kind);
      continue;
    }
    const engine::EngineKind* kind = engine::find_engine(name);
    if (!kind) {
      std::vector<std::string> known = {"all"};
      for (const engine::EngineKind& each : engine::engines()) known.emplace_back(each.name);
      std::string list;
      for (const std::string& each : known) list += (list.empty() ? "" : ", ") + each;
      return Error{"unknown engine '" + name + "'" + did_you_mean(name, known) + " (there are " + list + ")"};
    }
    result.push_back(kind);
  }
  return result;
}

Result<Request> request_of(const Settings& settings) {
  const Options& options = settings.options;
  if (settings.operands.empty()) return Error{"heddle analyze needs a history; see heddle analyze --help"};
  if (settings.operands.size() > 1)
    return Error{"heddle analyze reads one history, not '" + settings.operands[0] + "' and '" +
                 settings.operands[1] + "'"};
  Request request;
  request.file = settings.operands.front();
  request.format = options.text("format");
  request.json = options.flag("json");
  request.options.first_race = options.flag("first-race");
  request.options.on_threads = options.flag("on-threads");
  request.options.greedy = options.flag("greedy");
  request.options.weak_order = options.flag("weak-order");
  request.options.exact = options.flag("exact");
  if (const std::string wrong = request.atomic.add_all(options.text("atomic"), /*with_regions=*/false);
      !wrong.empty())
    return Error{wrong};
  auto engines = engines_named(options.text("engine"));
  if (!engines) return Error{engines.error()};
  request.engines = std::move(*engines);
  return request;
}

// In KiB, of this process.
u64 peak_memory() {
  if (const auto status = read_file("/proc/self/status"))
    for (const std::string_view line : lines_of(*status))
      if (line.starts_with("VmHWM:")) return std::strtoull(line.data() + 6, nullptr, 10);
  return 0;
}

std::string describe(const Json& side) {
  return std::string(side["atomic"].get<bool>() ? "atomic " : "") + side["op"].get<std::string>() + " at " +
         output::printable(side["place"].get<std::string>());
}

std::string pattern_of(const engine::Violation& violation) {
  auto letter = [](const engine::Side& side) { return side.write ? "W" : "R"; };
  return std::string(letter(violation.first)) + "-" + letter(violation.intruder) + "-" +
         letter(violation.last);
}

void add_place(Json& json, u32 site, SiteNames& names, const history::EventSource& source) {
  const SiteName& name = names.name(site, source);
  json["site"] = site;
  json["place"] = name.text;
  if (!name.function.empty()) json["function"] = name.function;
  if (!name.file.empty()) {
    json["file"] = name.file;
    json["line"] = name.line;
  }
}

Json side_json(const engine::Side& side, SiteNames& names, const history::EventSource& source) {
  Json json = {{"op", side.write ? "write" : "read"}, {"atomic", side.atomic}};
  add_place(json, side.site, names, source);
  return json;
}

// One race per pair of places, whatever the stacks.
Json races_json(const engine::RaceLog& races, SiteNames& names, const history::EventSource& source) {
  Json list = Json::array();
  std::map<std::string, usize> known;
  for (const engine::Race& race : races.races()) {
    Json first = side_json(race.first, names, source), second = side_json(race.second, names, source);
    auto key = [](const Json& side) {
      return side["place"].get<std::string>() + side["op"].get<std::string>();
    };
    std::string a = key(first), b = key(second), where = hex(race.address);
    if (!race.first.site && !race.second.site) a += where;
    auto [found, is_new] = known.try_emplace(std::min(a, b) + '\n' + std::max(a, b), list.size());
    if (is_new) {
      list.push_back(
          {{"first", first}, {"second", second}, {"address", where}, {"locations", race.locations}});
      if (const auto* trace = dynamic_cast<const history::StdImport*>(&source))
        list.back()["variable"] = std::string(trace->variable(race.address));
    } else {
      list[found->second]["locations"] = list[found->second]["locations"].get<u64>() + race.locations;
    }
  }
  return list;
}

// One violation per triple of places.
Json violations_json(const engine::ViolationLog& log, SiteNames& names, const history::EventSource& source) {
  Json list = Json::array();
  std::map<std::string, usize> known;
  for (const engine::Violation& violation : log.violations()) {
    Json one = {{"first", side_json(violation.first, names, source)},
                {"intruder", side_json(violation.intruder, names, source)},
                {"last", side_json(violation.last, names, source)},
                {"pattern", pattern_of(violation)},
                {"address", hex(violation.address)},
                {"locations", violation.locations}};
    std::string key = violation.first.site ? "" : hex(violation.address);
    for (const char* part : {"first", "intruder", "last"}) key += describe(one[part]) + '\n';
    auto [found, is_new] = known.try_emplace(key, list.size());
    if (is_new)
      list.push_back(std::move(one));
    else
      list[found->second]["locations"] = list[found->second]["locations"].get<u64>() + violation.locations;
  }
  return list;
}

Json acquisition_json(const deadlock::Acquisition& acquisition, SiteNames& names,
                      const history::EventSource& source) {
  Json json = {{"lock", acquisition.lock}, {"mode", acquisition.write ? "write" : "read"}};
  add_place(json, acquisition.site, names, source);
  return json;
}

// One deadlock per cycle of places, whatever the locks and stacks.
Json deadlocks_json(const std::vector<engine::Deadlock>& deadlocks, SiteNames& names,
                    const history::EventSource& source) {
  Json list = Json::array();
  std::map<std::vector<std::string>, usize> known;
  for (const engine::Deadlock& deadlock : deadlocks) {
    Json edges = Json::array();
    std::vector<std::string> key;
    for (const engine::DeadlockEdge& edge : deadlock) {
      Json holds = Json::array();
      for (const deadlock::Acquisition& held : edge.held)
        holds.push_back(acquisition_json(held, names, source));
      Json wants = acquisition_json(edge.wants, names, source);
      key.push_back(edge.wants.site ? wants["place"].get<std::string>() : std::to_string(edge.wants.lock));
      edges.push_back({{"task", edge.task}, {"wants", std::move(wants)}, {"holds", std::move(holds)}});
    }
    std::sort(key.begin(), key.end());
    auto [found, is_new] = known.try_emplace(key, list.size());
    if (is_new)
      list.push_back({{"edges", std::move(edges)}, {"cycles", 1}});
    else
      list[found->second]["cycles"] = list[found->second]["cycles"].get<u64>() + 1;
  }
  return list;
}

Json run_engine(const Request& request, const engine::EngineKind& kind) {
  auto opened = history::open_history(request.file, request.format);
  if (!opened) return {{"engine", kind.name}, {"error", opened.error()}};
  history::EventSource& source = *opened->source;
  std::unique_ptr<engine::Engine> engine = kind.make(request.options);
  engine::Outcome outcome = engine::analyze(*engine, source);
  u64 peak = peak_memory();
  SiteNames names(opened->about());
  Json counters = Json::object();
  for (const engine::Counter& counter : engine->counters())
    counters[std::string(counter.name)] = counter.value;
  Json json = {{"engine", kind.name},
               {"races", races_json(engine->races, names, source)},
               {"violations", violations_json(engine->violations, names, source)},
               {"deadlocks", deadlocks_json(engine->deadlocks, names, source)},
               {"seconds", outcome.cpu_seconds},
               {"wall_seconds", outcome.wall_seconds},
               {"events", outcome.events},
               {"accesses", outcome.accesses},
               {"events_per_second",
                outcome.cpu_seconds > 0 ? static_cast<double>(outcome.events) / outcome.cpu_seconds : 0.0},
               {"peak_kib", peak},
               {"engine_bytes", engine->memory_used()},
               {"stopped_at_first_race", outcome.stopped},
               {"counters", counters}};
  if (!source.problem().empty()) json["problem"] = source.problem();
  return json;
}

// The result of an engine, in its own process.
std::string say_apart(const Request& request, const engine::EngineKind& kind) {
  const auto failed = [&](const std::string& why) {
    return Json{{"engine", kind.name}, {"error", why}, {"incomplete", true}}.dump(
        -1, ' ', false, Json::error_handler_t::replace);
  };
  try {
    return run_engine(request, kind).dump(-1, ' ', false, Json::error_handler_t::replace);
  } catch (const engine::NoHistory& why) {
    return Json{{"engine", kind.name}, {"error", std::string("this is not a history: ") + why.what()}}.dump(
        -1, ' ', false, Json::error_handler_t::replace);
  } catch (const std::bad_alloc&) {
    return failed("out of memory");
  } catch (const std::exception& why) {
    return failed(why.what());
  }
}

// In a process of its own, with the result through a pipe.
Json run_apart(const Request& request, const engine::EngineKind& kind) {
  auto failed = [&](const std::string& why) {
    return Json{{"engine", kind.name}, {"error", why}, {"incomplete", true}};
  };
  int ends[2];
  if (pipe(ends) != 0) return failed(std::string("no pipe: ") + std::strerror(errno));
  std::fflush(nullptr);
  pid_t child = fork();
  if (child < 0) return failed(std::string("no process: ") + std::strerror(errno));
  if (child == 0) {
    close(ends[0]);
    _exit(write_all(ends[1], say_apart(request, kind)));
  }
  close(ends[1]);
  std::string text;
  const int unread = read_all(ends[0], text);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (unread) return failed(std::string("what it says cannot be read: ") + std::strerror(unread));
  if (WIFSIGNALED(status))
    return failed("the engine was ended by signal " + std::to_string(WTERMSIG(status)));
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  return json.is_object()
             ? json
             : failed(std::string("its result was not passed on: ") + std::strerror(WEXITSTATUS(status)));
}

std::string times_more(u64 count) {
  return count > 1 ? " and " + std::to_string(count - 1) + " times more" : "";
}

void print_violations(const Json& report) {
  usize number = 0;
  for (const Json& one : report["engines"]) {
    if (one.contains("error")) continue;
    for (const Json& violation : one["violations"]) {
      std::printf("ATOMICITY VIOLATION %zu (%s): between %s\n                       and %s\n", ++number,
                  violation["pattern"].get<std::string>().c_str(), describe(violation["first"]).c_str(),
                  describe(violation["last"]).c_str());
      std::printf("        of one step, a parallel step has %s, at %s%s\n        found by %s\n",
                  describe(violation["intruder"]).c_str(), violation["address"].get<std::string>().c_str(),
                  times_more(violation["locations"]).c_str(), one["engine"].get<std::string>().c_str());
    }
  }
  if (number > 0) std::printf("\n");
}

void print_deadlocks(const Json& report) {
  usize number = 0;
  for (const Json& one : report["engines"]) {
    if (one.contains("error")) continue;
    for (const Json& deadlock : one["deadlocks"]) {
      std::printf("POTENTIAL DEADLOCK %zu%s\n", ++number, times_more(deadlock["cycles"]).c_str());
      for (const Json& edge : deadlock["edges"]) {
        auto words = [](const Json& acquisition) {
          return "lock " + std::to_string(acquisition["lock"].get<u32>()) +
                 (acquisition["mode"] == "read" ? " for reading" : "") + " at " +
                 acquisition["place"].get<std::string>();
        };
        std::printf("        task %u acquires %s\n", edge["task"].get<u32>(),
                    output::printable(words(edge["wants"])).c_str());
        for (const Json& held : edge["holds"])
          std::printf("            holding %s\n", output::printable(words(held)).c_str());
      }
    }
  }
  if (number > 0) std::printf("\n");
}

void print_text(const Json& report) {
  // A race is reported once, with the engines that found it.
  struct Told {
    std::string words, engines;
  };
  std::vector<Told> told;
  std::map<std::string, usize> known;
  for (const Json& one : report["engines"]) {
    if (one.contains("error")) continue;
    for (const Json& race : one["races"]) {
      std::string a = describe(race["first"]), b = describe(race["second"]);
      auto [found, is_new] = known.try_emplace(std::min(a, b) + '\n' + std::max(a, b), told.size());
      if (is_new) {
        std::string words =
            a + " and " + b + ", at " + race.value("variable", race["address"].get<std::string>());
        told.push_back({words + times_more(race["locations"]), ""});
      }
      std::string& engines = told[found->second].engines;
      engines += (engines.empty() ? "" : ", ") + one["engine"].get<std::string>();
    }
  }
  for (usize i = 0; i < told.size(); ++i)
    std::printf("RACE %zu: %s\n        found by %s\n", i + 1, output::printable(told[i].words).c_str(),
                told[i].engines.c_str());
  if (!told.empty()) std::printf("\n");
  print_violations(report);
  print_deadlocks(report);
  std::printf("%-10s %7s %10s %12s %11s\n", "engine", "found", "seconds", "events/s", "peak MiB");
  for (const Json& one : report["engines"]) {
    std::string name = one["engine"];
    if (one.contains("error")) {
      std::printf("%-10s %s\n", name.c_str(), output::printable(one["error"].get<std::string>()).c_str());
      continue;
    }
    std::printf("%-10s %7zu %10.3f %10.2f M %11.1f   ", name.c_str(),
                one["races"].size() + one["violations"].size() + one["deadlocks"].size(),
                one["seconds"].get<double>(), one["events_per_second"].get<double>() / 1e6,
                one["peak_kib"].get<double>() / 1024);
    for (const auto& [counter, value] : one["counters"].items())
      std::printf(" %s %llu;", counter.c_str(), static_cast<unsigned long long>(value.get<u64>()));
    std::printf("\n");
  }
}

int run(Settings& settings) {
  auto request = request_of(settings);
  if (!request) return fail(request.error());
  // Damaged files are reported before anything runs.
  auto opened = history::open_history(request->file, request->format);
  if (!opened) return fail(opened.failure());
  // This reads the whole file: the description of the program is complete then.
  const std::string illegal = history::first_illegal_event(*opened->source);
  const std::string damage = illegal.empty() ? opened->source->problem() : illegal;
  auto atomic = request->atomic.resolve(opened->about());
  if (!atomic) return fail(atomic.error());
  request->options.atomic = *atomic;

  Json report = {{"file", request->file}, {"events", 0}, {"engines", Json::array()}};
  bool found = false, errors = false, incomplete = false;
  for (const engine::EngineKind* kind : request->engines) {
    Json one = run_apart(*request, *kind);
    errors |= one.contains("error");
    incomplete |= one.contains("incomplete");
    if (one.contains("incomplete"))
      say(one["engine"].get<std::string>() + " did not come to its end: " + one["error"].get<std::string>());
    if (!one.contains("error")) {
      found |= !one["races"].empty() || !one["violations"].empty() || !one["deadlocks"].empty();
      report["events"] = std::max(report["events"].get<u64>(), one["events"].get<u64>());
    }
    report["engines"].push_back(std::move(one));
  }
  if (!damage.empty()) {
    report["problem"] = damage;
    say(request->file + ": " + damage + "; only the part before was analysed");
  }
  if (request->json)
    std::printf("%s\n", report.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
  else
    print_text(report);
  if (found) return kFound;
  if (!damage.empty()) return kDamagedInput;
  if (incomplete) return kIncomplete;
  if (errors && request->engines.size() == 1)
    return fail(report["engines"][0]["engine"].get<std::string>() + ": " +
                report["engines"][0]["error"].get<std::string>());
  return 0;
}

}  // namespace

const Verb kAnalyzeVerb{
    "analyze",
    options::kAnalyze,
    Operands::kFiles,
    "run analysis engines on a recorded history, and say what each costs",
    "FILE [--engine=NAME[,NAME...]] [options]",
    "Exits with 66 if an engine reports anything, 0 if none does, 2 on wrong use or an unreadable file. A "
    "damaged "
    "history is analysed as far as it can be read; if nothing is found there, the exit code is 65.",
    "  heddle record -o run.hist ./app\n"
    "  heddle analyze run.hist --engine=all\n"
    "  heddle analyze run.hist --engine=zipper,fasttrack --json\n"
    "  heddle analyze run.hist --engine=atomicity --atomic=var:hits --atomic=group:balance,bank::log\n"
    "  heddle analyze run.hist --engine=deadlock\n"
    "  heddle analyze trace.std --format=std --engine=fasttrack\n",
    run,
    engine_lists};

}  // namespace heddle::cli
