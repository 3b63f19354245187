// heddle generate: synthetic histories, for tests and measurements. Small ones are random programs of a model in a
// random schedule; long ones are loops.
#include <cstdio>
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

std::optional<Model> model_of(std::string_view name) {
  for (Model model : event::kModels)
    if (name == event::name(model)) return model;
  return std::nullopt;
}

std::string unknown_model(const std::string& name) {
  std::vector<std::string> names;
  std::string list;
  for (Model each : event::kModels) {
    names.emplace_back(event::name(each));
    list += (list.empty() ? "" : ", ") + names.back();
  }
  return "unknown model '" + name + "'" + did_you_mean(name, names) + " (there are " + list + ")";
}

// Empty, or which options conflict.
std::string conflict(const Options& options, Model model) {
  const bool loops = options.is_given("events");
  if (loops && model == Model::kMixed) return "there are no loops of the model mixed";
  for (const char* name : {"steps", "depth", "locations"})
    if (loops && options.is_given(name))
      return "--" + std::string(name) + " is for random programs, --events for loops: give one of them";
  for (const char* name : {"workers", "inject-races"})
    if (!loops && options.is_given(name)) return "--" + std::string(name) + " needs --events";
  return "";
}

// Each access has its own site: the place in the program that it comes from.
event::History random_history(const Options& options, Model model) {
  event::Rng rng = event::numbered_rng(model, options.number("seed"));
  const event::Features features = event::features_of(model, rng);
  event::Shape shape = event::shape_of(rng);
  auto given = [&](const char* name, u32& value) {
    if (options.is_given(name)) value = static_cast<u32>(options.number(name));
  };
  given("steps", shape.steps);
  given("depth", shape.depth);
  given("locations", shape.locations);
  given("locks", shape.locks);
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
  // The reader has gone, or the disk is full.
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

void make(const Options& options, Model model, Output& output) {
  if (!options.is_given("events")) {
    for (const event::Event& event : random_history(options, model)) output.add(event);
    return;
  }
  history::LoopSource source({.model = model,
                              .events = options.number("events"),
                              .workers = static_cast<u32>(options.number("workers")),
                              .races = static_cast<u32>(options.number("inject-races")),
                              .seed = options.number("seed")});
  history::Batch batch;
  while (!output.failed() && source.next(batch)) {
    for (const history::Record& record : batch.memory) output.add(history::access_of(record, batch.task));
    if (batch.event) output.add(*batch.event);
  }
}

int run(Settings& settings) {
  const Options& options = settings.options;
  if (!settings.operands.empty()) return fail("heddle generate reads no file; see heddle generate --help");
  const auto model = model_of(options.text("model"));
  if (!model) return fail(unknown_model(options.text("model")));
  if (const std::string problem = conflict(options, *model); !problem.empty()) return fail(problem);
  const std::string path = options.text("output");
  if (path.empty()) {
    Output output(nullptr);
    make(options, *model, output);
    return 0;
  }
  auto sink = history::file_sink(path);
  if (!sink) return fail(sink.error());
  history::Writer writer(*sink);
  Output output(&writer);
  make(options, *model, output);
  output.finish();
  if (!writer.problem().empty()) return fail("cannot write '" + path + "': " + writer.problem());
  return 0;
}

}  // namespace

const Verb kGenerateVerb{
    "generate",
    options::kGenerate,
    Operands::kFiles,
    "make random histories, for tests and measurements",
    "[--model=MODEL] [--seed=N] [sizes] [-o FILE]",
    "Makes a random program of a model in a random schedule, or, with --events, loops over arrays, of any "
    "length and in "
    "little memory. Without -o the events are printed as text. The same options give the same history on "
    "every machine.",
    "  heddle generate --model=openmp --seed=7\n"
    "  heddle generate --model=locks --steps=500 -o locks.hist\n"
    "  heddle generate --model=threads --events=100000000 --inject-races=3 -o long.hist\n",
    run};

}  // namespace heddle::cli
