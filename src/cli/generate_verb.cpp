// heddle generate: histories that no program made, for tests and measurements. Small ones are random programs of a model in a random
// schedule; long ones are loops.
#include <charconv>
#include <cstdio>
#include <map>
#include <optional>

#include "cli/verb.hpp"
#include "event/random/campaign.hpp"
#include "history/loops.hpp"
#include "history/text.hpp"
#include "history/writer.hpp"
#include "settings/suggest.hpp"

namespace heddle::cli {
namespace {

using event::Model;

struct Request {
  Model model = Model::kAsync;
  std::string output;  // empty: text, to the standard output
  // What was given; the rest is chance, or a default.
  std::map<std::string, std::uint64_t> numbers;

  std::uint64_t number(const std::string& name, std::uint64_t otherwise) const {
    auto found = numbers.find(name);
    return found == numbers.end() ? otherwise : found->second;
  }
};

struct NumberOption {
  const char* name;
  std::uint64_t least, most;
};
constexpr NumberOption kNumbers[] = {
    {"--seed", 0, ~std::uint64_t{0}}, {"--steps", 1, 10000000}, {"--depth", 1, 1000},
    {"--locations", 1, 1000000},      {"--locks", 1, 100000},   {"--events", 1, ~std::uint64_t{0} / 2},
    {"--workers", 2, 10000},          {"--races", 0, 1000000},
};

std::string help() {
  return "heddle generate: random histories, for tests and measurements\n"
         "\n"
         "usage: heddle generate [--model=MODEL] [--seed=N] [sizes] [-o FILE]\n"
         "\n"
         "Without -o the events are printed as text. The same options give the same history, on every "
         "machine.\n"
         "\n"
         "options:\n"
         "  --model=MODEL     async (default), openmp, threads, locks, or mixed: all of them in one program\n"
         "  --seed=N          which history (default 1)\n"
         "  -o FILE           write a history file (docs/history-format.md) instead of text\n"
         "\n"
         "A random program in a random schedule; what is not given is up to the seed:\n"
         "  --steps=N         steps of all tasks together\n"
         "  --depth=N         how deep tasks spawn tasks\n"
         "  --locations=N     words that are accessed\n"
         "  --locks=N         locks that are used\n"
         "\n"
         "Loops over arrays, of any length and in little memory (not for mixed):\n"
         "  --events=N        at least this many events\n"
         "  --workers=N       tasks or threads at a time (default 8)\n"
         "  --races=N         put in N races (default 0)\n"
         "\n"
         "examples:\n"
         "  heddle generate --model=openmp --seed=7\n"
         "  heddle generate --model=locks --steps=500 -o locks.hist\n"
         "  heddle generate --model=threads --events=100000000 --races=3 -o long.hist\n";
}

std::optional<Model> model_of(std::string_view name) {
  for (Model model : event::kModels)
    if (name == event::name(model)) return model;
  return std::nullopt;
}

Result<Request> parse(const Arguments& arguments) {
  Request request;
  auto number = [&](const std::string& word) -> Result<bool> {
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::string name = word.substr(0, equals);
    for (const NumberOption& option : kNumbers) {
      if (name != option.name) continue;
      std::uint64_t value = 0;
      const char *from = word.data() + std::min(equals + 1, word.size()), *to = word.data() + word.size();
      auto [end, error] = std::from_chars(from, to, value);
      if (error != std::errc() || end != to || value < option.least || value > option.most)
        return Error{"'" + word + "' needs a number from " + std::to_string(option.least) + " to " +
                     std::to_string(option.most) + ", as in " + name + "=" +
                     std::to_string(option.least + 1)};
      request.numbers[name] = value;
      return true;
    }
    return false;
  };
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word == "-o") {
      if (++i == arguments.size()) return Error{"-o needs a file"};
      request.output = arguments[i];
    } else if (word.starts_with("-o")) {
      request.output = word.substr(2);
    } else if (word.starts_with("--model=")) {
      auto model = model_of(word.substr(word.find('=') + 1));
      if (!model) {
        std::vector<std::string> names;
        for (Model each : event::kModels) names.emplace_back(event::name(each));
        return Error{"unknown model in '" + word + "'" +
                     did_you_mean(word.substr(word.find('=') + 1), names) +
                     "; there are async, openmp, threads, locks and mixed"};
      }
      request.model = *model;
    } else {
      auto known = number(word);
      if (!known) return Error{known.error()};
      if (*known) continue;
      std::vector<std::string> names = {"--model"};
      for (const NumberOption& option : kNumbers) names.emplace_back(option.name);
      return Error{"unknown option '" + word + "'" + did_you_mean(word.substr(0, word.find('=')), names) +
                   " (heddle generate --help lists them)"};
    }
  }
  const bool loops = request.numbers.contains("--events");
  if (loops && request.model == Model::kMixed) return Error{"there are no loops of the model mixed"};
  for (const char* name : {"--steps", "--depth", "--locations"})
    if (loops && request.numbers.contains(name))
      return Error{std::string(name) + " is for random programs, --events for loops: give one of them"};
  for (const char* name : {"--workers", "--races"})
    if (!loops && request.numbers.contains(name)) return Error{std::string(name) + " needs --events"};
  return request;
}

// Each access has a site of its own: the place in the program that it comes from.
event::History random_history(const Request& request) {
  const std::uint64_t seed = request.number("--seed", 1);
  event::Rng rng = event::numbered_rng(request.model, seed);
  const event::Features features = event::features_of(request.model, rng);
  event::Shape shape = event::shape_of(rng);
  auto given = [&](const char* name, u32& value) { value = static_cast<u32>(request.number(name, value)); };
  given("--steps", shape.steps);
  given("--depth", shape.depth);
  given("--locations", shape.locations);
  given("--locks", shape.locks);
  const event::Program program = event::generate(features, shape, rng);
  event::History history = event::schedule(program, rng).history;
  u32 site = 0;
  for (event::Event& event : history)
    if (auto* access = std::get_if<event::Access>(&event)) access->site = ++site;
  return history;
}

// Where events go: a file of records, or text.
class Output {
 public:
  explicit Output(history::Writer* writer) : writer_(writer) {
    if (writer) events_.emplace(*writer);
  }
  template <class E>
  void add(const E& event) {
    if (events_) {
      events_->add(event);
    } else {
      const std::string line = history::to_text(event);
      std::fwrite(line.data(), 1, line.size(), stdout);
    }
  }
  // Nobody reads any more, or the disk is full.
  bool failed() const { return writer_ ? !writer_->problem().empty() : std::ferror(stdout) != 0; }
  void finish() {
    if (!writer_) return;
    events_->flush();
    writer_->end("generated");
  }

 private:
  history::Writer* writer_;
  std::optional<history::EventWriter> events_;
};

void make(const Request& request, Output& output) {
  if (!request.numbers.contains("--events")) {
    for (const event::Event& event : random_history(request)) output.add(event);
    return;
  }
  history::LoopSource source({.model = request.model,
                              .events = request.number("--events", 0),
                              .workers = static_cast<u32>(request.number("--workers", 8)),
                              .races = static_cast<u32>(request.number("--races", 0)),
                              .seed = request.number("--seed", 1)});
  history::Batch batch;
  while (!output.failed() && source.next(batch)) {
    for (const history::Record& record : batch.memory) output.add(history::access_of(record, batch.task));
    if (batch.event) output.add(*batch.event);
  }
}

int run(const Arguments& arguments) {
  auto request = parse(arguments);
  if (!request) return fail(request.error());
  if (request->output.empty()) {
    Output output(nullptr);
    make(*request, output);
    return std::fflush(stdout) == 0 && !output.failed() ? 0 : 1;
  }
  auto sink = history::file_sink(request->output);
  if (!sink) return fail(sink.error());
  history::Writer writer(*sink);
  Output output(&writer);
  make(*request, output);
  output.finish();
  if (!writer.problem().empty()) return fail("cannot write '" + request->output + "': " + writer.problem());
  return 0;
}

}  // namespace

const Verb kGenerateVerb{"generate", "random histories, for tests and measurements", help, run};

}  // namespace heddle::cli
