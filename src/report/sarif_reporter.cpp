// SARIF 2.1.0 (OASIS Standard, 2020): the format that code scanning services and editors read.
//
// One rule for each kind of finding. A result's location is its first access (of a deadlock: the first lock that is
// waited for), the other places are its related locations, and a code flow shows what each task does: one thread flow
// a task, from the outermost call to the access. Executions of a race have no order, so its steps have none; those of
// an atomicity violation and of a deadlock do.
//
// Source files below the directory of the run are relative to it (%SRCROOT%), so that a report means the same in
// another checkout.
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "report/formats.hpp"
#include "report/interleaving.hpp"

namespace heddle::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
constexpr const char* kRoot = "%SRCROOT%";

struct Rule {
  const char *id, *name, *summary, *description;
};
// In the order of Finding::Kind; the last one is of programs that made no progress.
constexpr Rule kRules[] = {
    {"data-race", "DataRace", "Data race",
     "Two tasks access the same memory, at least one of them writes, and nothing orders the accesses."},
    {"atomicity-violation", "AtomicityViolation", "Atomicity violation",
     "An access of another task can come between two accesses that are meant to be one atomic step."},
    {"deadlock", "Deadlock", "Deadlock",
     "Tasks wait, or in another schedule can wait, for locks that the next one of them holds, in a cycle."},
    {"no-progress", "NoProgress", "No progress",
     "The program stopped making progress: every thread waits for another one."}};
constexpr std::size_t kNoProgress = std::variant_size_v<Finding::Kind>;
static_assert(std::size(kRules) == kNoProgress + 1);

// The specification, 3.11.5: a brace begins a placeholder unless it is doubled.
Json message(const std::string& text) {
  std::string escaped;
  for (const char c : text) escaped += (c == '{' || c == '}') ? std::string(2, c) : std::string(1, c);
  return {{"text", escaped}};
}

// RFC 3986: everything but unreserved characters and the slash is encoded, so a path of any bytes is a URI.
std::string encoded(const std::string& path) {
  constexpr const char* kDigits = "0123456789ABCDEF";
  std::string uri;
  for (const unsigned char c : path)
    if (std::isalnum(c) != 0 ||
        std::string_view("-._~/").find(static_cast<char>(c)) != std::string_view::npos)
      uri += static_cast<char>(c);
    else
      uri += {'%', kDigits[c >> 4], kDigits[c & 15]};
  return uri;
}

std::string task_words(TaskId task, std::uint64_t thread) {
  return "task " + std::to_string(task) + " on thread " + std::to_string(thread);
}

std::string access_words(const Access& access, const Variable& variable) {
  std::string text = (access.atomic ? "atomic " : "") + access.op;
  if (access.op != "free")
    text += " of " + std::to_string(access.size) + (access.size == 1 ? " byte" : " bytes");
  if (!variable.name.empty()) text += ", `" + variable.name + "`";
  text += " by " + task_words(access.task, access.thread);
  for (std::size_t i = 0; i < access.locks.size(); ++i)
    text += (i == 0 ? ", holding " : ", ") + lock_words(access.locks[i]);
  return text;
}

std::string acquisition_words(const Acquisition& acquisition) {
  return lock_words(acquisition.lock) + (acquisition.lock.mode == "read" ? " (for reading)" : "");
}

// One step of a code flow: what a task does at the innermost frame of a stack.
struct Step {
  TaskId task;
  std::uint64_t thread;
  const Stack* stack;
  std::string words;
  std::vector<const char*> kinds;
};

class SarifWriter {
 public:
  explicit SarifWriter(const Report& report) : report_(report) {}

  Json document() {
    Json results = Json::array();
    for (const Finding& finding : report_.findings) results.push_back(result(finding));
    for (const Stall& stall : report_.stalls)
      if (stall.is_bug()) results.push_back(result(stall));
    Json run = {{"tool", {{"driver", driver()}}}, {"invocations", Json::array({invocation()})}};
    if (!report_.directory.empty()) run["originalUriBaseIds"] = {{kRoot, {{"uri", directory_uri()}}}};
    run["results"] = std::move(results);
    run["columnKind"] = "unicodeCodePoints";
    run["properties"] = {{"certain", report_.certain},
                         {"predicted", report_.predicted},
                         {"violations", report_.certain_violations},
                         {"predicted_violations", report_.predicted_violations},
                         {"deadlocks", report_.deadlocks},
                         {"suppressed", report_.suppressed}};
    return {{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", Json::array({std::move(run)})}};
  }

 private:
  Json driver() const {
    Json rules = Json::array();
    for (const Rule& rule : kRules)
      rules.push_back({{"id", rule.id},
                       {"name", rule.name},
                       {"shortDescription", {{"text", rule.summary}}},
                       {"fullDescription", {{"text", rule.description}}},
                       {"defaultConfiguration", {{"level", "error"}}}});
    Json driver = {{"name", "Heddle"}};
    if (!report_.version.empty()) driver["version"] = report_.version;
    driver["rules"] = std::move(rules);
    return driver;
  }

  // Successful: some program was analysed from its beginning to its end.
  Json invocation() const {
    Json json = {{"executionSuccessful", report_.started && !report_.signal && report_.not_analysed.empty()},
                 {"commandLine", report_.reproduce},
                 {"arguments", report_.command}};
    if (report_.exit_code) json["exitCode"] = *report_.exit_code;
    if (report_.signal) json["exitSignalNumber"] = *report_.signal;
    if (!report_.directory.empty()) json["workingDirectory"] = {{"uri", directory_uri()}};
    Json notes = Json::array();
    const auto note = [&](const char* level, const std::string& text) {
      notes.push_back({{"level", level}, {"message", message(text)}});
    };
    for (const std::string& warning : report_.warnings) note("warning", warning);
    for (const std::string& what : report_.not_analysed) note("warning", "not analysed: " + what);
    for (const UnusedSuppression& rule : report_.unused_suppressions)
      note("note", "unused suppression: " + rule.text + " (" + rule.where + ")");
    json["toolExecutionNotifications"] = std::move(notes);
    return json;
  }

  // --- results -------------------------------------------------------------------------------------------

  Json result(const Finding& finding) {
    Json json = {{"ruleId", kRules[finding.kind.index()].id},
                 {"ruleIndex", finding.kind.index()},
                 {"level", level(finding)}};
    std::string text = finding.headline;
    std::vector<Step> steps;
    Json properties = {{"number", finding.number}, {"evidence", name_of(finding.evidence)}};
    visit_kind(
        finding,
        [&](const Race& race) {
          text += ". " + race.ordering;
          steps = {step(race.first, race), step(race.second, race)};
        },
        [&](const Violation& violation) {
          steps = {step(violation.first, violation), step(violation.second, violation),
                   step(violation.last, violation)};
          properties["pattern"] = violation.pattern;
        },
        [&](const Deadlock& deadlock) {
          for (const Deadlock::Edge& edge : deadlock.edges)
            steps.push_back(step(edge, edge.wants, "waits for "));
          for (const Deadlock::Edge& edge : deadlock.edges)
            for (const Acquisition& held : edge.holds) steps.push_back(step(edge, held, "holds "));
        });
    if (!finding.hint.empty()) text += ". " + finding.hint;
    json["message"] = message(text);
    json["locations"] = Json::array();
    if (Json primary = location(steps.front().stack->user_frame()); !primary.empty())
      json["locations"].push_back(std::move(primary));
    json["relatedLocations"] = related(finding, steps);
    json["codeFlows"] = Json::array();
    json["codeFlows"].push_back(
        {{"threadFlows", thread_flows(in_order(finding, steps), !finding.as<Race>())}});
    json["partialFingerprints"] = fingerprints(finding, steps);
    json["occurrenceCount"] = finding.hits;
    if (finding.confirmation) {
      properties["confirmation"] = finding.confirmation->state;
      if (!finding.confirmation->effect.empty()) properties["effect"] = finding.confirmation->effect;
      if (!finding.confirmation->schedule.empty()) properties["schedule"] = finding.confirmation->schedule;
    }
    properties["reproduce"] = report_.reproduce;
    json["properties"] = std::move(properties);
    return json;
  }

  Json result(const Stall& stall) {
    const bool locks = stall.kind == "deadlock" || stall.kind == "self-deadlock";
    const std::size_t rule = locks ? Finding::Kind(Deadlock{}).index() : kNoProgress;
    Json json = {{"ruleId", kRules[rule].id}, {"ruleIndex", rule}, {"level", "error"}};
    std::string text = stall.kind;
    Json places = Json::array();
    for (const Waiter& waiter : stall.waiters) {
      const std::string words = waiter.kind + " " + waiter.name + " " + waiter.waits +
                                (waiter.lock ? ": " + lock_words(*waiter.lock) : "");
      text += (places.empty() ? ": " : "; ") + words;
      add_related(places, waiter.stack.user_frame(), words);
    }
    json["message"] = message(text);
    json["locations"] = Json::array();
    for (const Waiter& waiter : stall.waiters)
      if (Json at = location(waiter.stack.user_frame()); !at.empty() && json["locations"].empty())
        json["locations"].push_back(std::move(at));
    json["relatedLocations"] = std::move(places);
    json["properties"] = {{"evidence", "certain"}, {"stall", stall.kind}, {"reproduce", report_.reproduce}};
    return json;
  }

  static const char* level(const Finding& finding) {
    if (finding.confirmation && finding.confirmation->state == "refuted") return "note";
    if (finding.confirmation && finding.confirmation->state == "confirmed") return "error";
    return finding.evidence == Evidence::Certain ? "error" : "warning";
  }

  static Step step(const Access& access, const Conflict& conflict) {
    return {access.task, access.thread, &access.stack, access_words(access, conflict.variable), {"memory"}};
  }
  static Step step(const Deadlock::Edge& edge, const Acquisition& acquisition, const char* verb) {
    return {edge.task,
            edge.thread,
            &acquisition.stack,
            task_words(edge.task, edge.thread) + " " + verb + acquisition_words(acquisition),
            {"acquire", "lock"}};
  }

  // What would happen one after the other. Each task of a cycle has acquired its locks before any of them waits.
  static std::vector<Step> in_order(const Finding& finding, std::vector<Step> steps) {
    if (const auto* deadlock = finding.as<Deadlock>())
      std::rotate(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(deadlock->edges.size()),
                  steps.end());
    return steps;
  }

  // What means the same after lines have moved (places), and in another run (identity; only where names were asked
  // for).
  static Json fingerprints(const Finding& finding, const std::vector<Step>& steps) {
    std::vector<std::string> places;
    for (const Step& step : steps)
      if (const Frame* frame = step.stack->user_frame())
        places.push_back((frame->linkage_name.empty() ? frame->module : frame->linkage_name) + "@" +
                         frame->file);
    // Which access of a race comes first is chance.
    std::sort(places.begin(), places.end());
    Json json = {{"heddlePlaces/v1", joined(name_of(finding), places)}};
    if (const auto* deadlock = finding.as<Deadlock>()) {
      std::vector<std::string> locks;
      for (const Deadlock::Edge& edge : deadlock->edges) locks.push_back(edge.wants.identity);
      std::sort(locks.begin(), locks.end());
      if (std::find(locks.begin(), locks.end(), "") == locks.end())
        json["heddleIdentity/v1"] = joined(name_of(finding), locks);
    }
    return json;
  }
  static std::string joined(std::string text, const std::vector<std::string>& parts) {
    for (const std::string& part : parts) text += "|" + part;
    return text;
  }

  // --- places --------------------------------------------------------------------------------------------

  Json related(const Finding& finding, const std::vector<Step>& steps) const {
    Json places = Json::array();
    for (const Step& step : steps) add_related(places, step.stack->user_frame(), step.words);
    for (const Task& task : finding.tasks)
      add_related(places, task.created.user_frame(),
                  "task " + std::to_string(task.id) + " (" + task.kind + ") is created");
    visit_kind(
        finding, [&](const Race& race) { add_allocation(places, race.variable); },
        [&](const Violation& violation) { add_allocation(places, violation.variable); },
        [](const Deadlock&) {});
    return places;
  }
  void add_allocation(Json& places, const Variable& variable) const {
    add_related(places, variable.allocated.user_frame(), variable.description);
  }
  void add_related(Json& places, const Frame* frame, const std::string& words) const {
    Json place = location(frame);
    if (place.empty()) return;
    place["id"] = places.size() + 1;
    place["message"] = message(words);
    places.push_back(std::move(place));
  }

  // Empty if nothing is known.
  Json location(const Frame* frame) const {
    Json json = Json::object();
    if (!frame) return json;
    if (!frame->path.empty()) {
      Json region = {{"startLine", std::max(frame->line, 1)}};
      if (frame->column > 0) region["startColumn"] = frame->column;
      json["physicalLocation"] = {{"artifactLocation", artifact(frame->path)}, {"region", std::move(region)}};
    } else {
      json["physicalLocation"] = {
          {"address", {{"relativeAddress", frame->offset}, {"fullyQualifiedName", frame->module}}}};
    }
    if (!frame->function.empty()) {
      Json logical = {{"name", frame->function}, {"kind", "function"}};
      if (!frame->full_name.empty()) logical["fullyQualifiedName"] = frame->full_name;
      if (!frame->linkage_name.empty()) logical["decoratedName"] = frame->linkage_name;
      json["logicalLocations"] = Json::array({std::move(logical)});
    }
    return json;
  }

  Json artifact(const std::string& path) const {
    const std::filesystem::path root(report_.directory);
    const std::filesystem::path file = (root / path).lexically_normal();
    const std::string relative =
        root.empty() ? ".." : file.lexically_relative(root.lexically_normal()).string();
    if (!relative.empty() && !relative.starts_with(".."))
      return {{"uri", encoded(relative)}, {"uriBaseId", kRoot}};
    if (file.is_absolute()) return {{"uri", "file://" + encoded(file.string())}};
    return {{"uri", encoded(file.string())}};
  }
  std::string directory_uri() const {
    const std::string path = std::filesystem::path(report_.directory).lexically_normal().string();
    return "file://" + encoded(path) + (path.ends_with('/') ? "" : "/");
  }

  // --- what each task does -------------------------------------------------------------------------------

  Json thread_flows(const std::vector<Step>& steps, bool ordered) const {
    std::vector<TaskId> tasks;  // in the order in which they first do something
    std::map<TaskId, Json> flows;
    std::size_t order = 0;
    for (const Step& step : steps) {
      const auto [flow, is_new] = flows.try_emplace(step.task);
      if (is_new) {
        tasks.push_back(step.task);
        flow->second = {{"id", "task " + std::to_string(step.task)},
                        {"message", message(task_words(step.task, step.thread))},
                        {"locations", Json::array()}};
      }
      ++order;
      add_calls(flow->second["locations"], step, ordered ? order : 0);
    }
    Json result = Json::array();
    for (const TaskId task : tasks) result.push_back(std::move(flows[task]));
    return result;
  }

  void add_calls(Json& locations, const Step& step, std::size_t order) const {
    std::vector<const Frame*> calls;  // innermost first, as shown to people
    for (std::size_t i = step.stack->user; i < step.stack->shown; ++i)
      if (!step.stack->frames[i].runtime || i == step.stack->user) calls.push_back(&step.stack->frames[i]);
    for (std::size_t i = calls.size(); i-- > 1;)
      locations.push_back({{"location", location(calls[i])},
                           {"nestingLevel", calls.size() - 1 - i},
                           {"kinds", {"call", "function"}},
                           {"importance", "unimportant"}});
    Json last = {{"location", location(calls.empty() ? nullptr : calls.front())},
                 {"nestingLevel", calls.empty() ? 0 : calls.size() - 1},
                 {"kinds", step.kinds},
                 {"importance", "essential"}};
    last["location"]["message"] = message(step.words);
    if (order != 0) last["executionOrder"] = order;
    Json frames = Json::array();
    for (const Frame& frame : step.stack->frames)
      frames.push_back({{"location", location(&frame)}, {"module", frame.module}, {"threadId", step.thread}});
    last["stack"] = {{"frames", std::move(frames)}};
    locations.push_back(std::move(last));
  }

  const Report& report_;
};

}  // namespace

void write_sarif(std::ostream& out, const Report& report) {
  // Names need not be UTF-8.
  out << SarifWriter(report).document().dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
}

}  // namespace heddle::report
