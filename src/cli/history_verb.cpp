// heddle history: prints a history as figures or as text, or checks it against the rules.
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/verb.hpp"
#include "history/check.hpp"
#include "history/history_source.hpp"
#include "history/statistics.hpp"
#include "history/text.hpp"
#include "output/printable.hpp"
#include "settings/suggest.hpp"

namespace heddle::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Request {
  std::string file, format;
  bool dump = false, validate = false, json = false;
  std::uint64_t count = ~std::uint64_t{0};  // of events to dump
  std::optional<std::uint64_t> task = {};   // whose events; none: all
};

Result<Request> request_of(const Settings& settings) {
  const Options& options = settings.options;
  if (settings.operands.empty()) return Error{"heddle history needs a history; see heddle history --help"};
  if (settings.operands.size() > 1)
    return Error{"heddle history reads one history, not '" + settings.operands[0] + "' and '" +
                 settings.operands[1] + "'"};
  Request request{settings.operands.front(), options.text("format"), options.flag("dump"),
                  options.flag("validate"), options.flag("json")};
  if (options.is_given("count")) request.count = options.number("count");
  if (options.is_given("task")) request.task = options.number("task");
  if (request.dump + request.validate + request.json > 1)
    return Error{"--dump, --validate and --json are three different things to do"};
  return request;
}

// Problems of the file go to the standard error, after the readable part.
int end_of(const Request& request, const history::EventSource& source) {
  std::fflush(stdout);
  if (source.problem().empty()) return 0;
  return fail_input(request.file + ": " + source.problem());
}

int dump(const Request& request, history::OpenedHistory& opened) {
  std::uint64_t left = request.count;
  bool reading = true;
  std::string text;
  history::Batch batch;
  auto print = [&](const event::Event& event) {
    if (left == 0 || (request.task && event::task_of(event) != *request.task)) return;
    --left;
    text += history::to_text(event);
    if (text.size() < 65536) return;
    reading = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    text.clear();
  };
  while (left > 0 && reading && opened.source->next(batch)) {
    for (const history::Record& record : batch.memory)
      if (record.op == history::Op::kAccess)
        print(history::access_of(record, batch.task));
      else
        print(history::new_memory_of(record, batch.task));
    if (batch.event) print(*batch.event);
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
  return end_of(request, *opened.source);
}

int validate(const Request& request, history::OpenedHistory& opened) {
  history::Checker checker;
  history::for_each_event(*opened.source, [&](const auto& event) { checker.add(event); });
  if (!checker.problem().empty()) return fail_input(request.file + ": " + checker.problem());
  std::printf("%llu events, each where it may be\n", static_cast<unsigned long long>(checker.events()));
  return end_of(request, *opened.source);
}

Json figures(const Request& request, const history::OpenedHistory& opened, const history::Statistics& s) {
  Json kinds = Json::object();
  for (std::size_t kind = 0; kind < s.of_kind.size(); ++kind)
    if (s.of_kind[kind]) kinds[std::string(history::kind_name(kind))] = s.of_kind[kind];
  Json json = {{"file", request.file},
               {"events", s.events},
               {"kinds", kinds},
               {"reads", s.reads},
               {"writes", s.writes},
               {"atomic", s.atomic},
               {"bound", s.bound},
               {"accessed_bytes", s.accessed_bytes},
               {"tasks", s.tasks.size()},
               {"threads", s.threads.size()},
               {"teams", s.teams.size()},
               {"locks", s.locks.size()},
               {"objects", s.objects.size()},
               {"granules", s.granules.size()},
               {"sites", s.sites.size()}};
  if (const history::Reader* reader = opened.reader) {
    json["streams"] = reader->streams();
    json["chunks"] = reader->chunks();
    json["records"] = reader->records();
    json["bytes"] = reader->bytes();
    json["end"] = reader->end();
  }
  if (!opened.source->problem().empty()) json["problem"] = opened.source->problem();
  return json;
}

// The command line of the recorded program, if the file has it.
std::string command_of(const std::string& about) {
  const Json line = Json::parse(about.substr(0, about.find('\n')), nullptr, /*allow_exceptions=*/false);
  if (!line.is_object() || !line.contains("command") || !line["command"].is_array()) return {};
  std::string command;
  for (const Json& word : line["command"])
    if (word.is_string()) command += (command.empty() ? "" : " ") + word.get<std::string>();
  return command;
}

void print_figures(const Json& json, const history::OpenedHistory& opened) {
  auto row = [](const std::string& name, const Json& value, const std::string& more = "") {
    std::printf("%-18s %14llu%s%s\n", name.c_str(),
                static_cast<unsigned long long>(value.get<std::uint64_t>()), more.empty() ? "" : "   ",
                more.c_str());
  };
  auto count = [&](const char* name) { return std::to_string(json[name].get<std::uint64_t>()); };
  if (const std::string command = command_of(opened.about()); !command.empty())
    std::printf("recorded           %s\n", output::printable(command).c_str());
  row("events", json["events"]);
  for (const auto& [kind, number] : json["kinds"].items())
    row("  " + kind, number,
        kind == "access"
            ? count("reads") + " reads, " + count("writes") + " writes; " + count("atomic") + " atomic, " +
                  count("bound") + " bound to a thread; " + count("accessed_bytes") + " bytes"
            : "");
  row("tasks", json["tasks"]);
  for (const char* name : {"threads", "teams", "locks", "objects"})
    if (json[name] != 0) row(name, json[name]);
  row("addresses", json["granules"], "granules of eight bytes");
  row("sites", json["sites"]);
  if (!opened.reader) return;
  row("streams", json["streams"]);
  row("records", json["records"], "in " + count("chunks") + " chunks");
  const double records = static_cast<double>(opened.reader->records());
  char each[64] = "";
  if (records > 0)
    std::snprintf(each, sizeof each, "%.2f a record, of 16",
                  static_cast<double>(opened.reader->bytes()) / records);
  row("bytes", json["bytes"], each);
  if (!opened.reader->end().empty())
    std::printf("ended              %s\n", output::printable(opened.reader->end()).c_str());
}

int run(Settings& settings) {
  const auto request = request_of(settings);
  if (!request) return fail(request.error());
  auto opened = history::open_history(request->file, request->format);
  if (!opened) return fail(opened.failure());
  if (request->dump) return dump(*request, *opened);
  if (request->validate) return validate(*request, *opened);
  history::Statistics statistics;
  history::for_each_event(*opened->source, [&](const auto& event) { statistics.add(event); });
  const Json json = figures(*request, *opened, statistics);
  if (request->json)
    std::printf("%s\n", json.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
  else
    print_figures(json, *opened);
  return end_of(*request, *opened->source);
}

}  // namespace

const Verb kHistoryVerb{"history",
                        options::kHistory,
                        Operands::kFiles,
                        "show what is in a history: figures, events, whether it is legal",
                        "FILE [--dump | --validate | --json]",
                        "Prints what was recorded, and how much of it: events by kind, tasks, threads, "
                        "locks, addresses, sites, bytes. A "
                        "damaged file is read as far as possible. Exits with 65 if it is damaged, or if "
                        "--validate finds an illegal event.",
                        "  heddle history run.hist\n"
                        "  heddle history run.hist --dump --count=100\n"
                        "  heddle history trace.std --validate\n",
                        run};

}  // namespace heddle::cli
