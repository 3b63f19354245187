// heddle record: runs a program built with Heddle and keeps a history of what it does.
//
// The program passes its records through shared memory; a thread of the tool writes them to the file meanwhile. So
// the file has all records up to the end of either process.
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <exception>
#include <thread>

#include "cli/verb.hpp"
#include "history/collector.hpp"
#include "history/open.hpp"
#include "launch/watched_program.hpp"

namespace heddle::cli {
namespace {

// --- from a text -----------------------------------------------------------------------------------------------------

int convert(const std::string& from, const std::string& output) {
  auto source = history::open_source(from);
  if (!source) return fail(source.failure());
  auto sink = history::file_sink(output);
  if (!sink) return fail(sink.error());
  history::Writer writer(*sink);
  history::EventWriter events(writer);
  history::for_each_event(**source, [&](const auto& event) { events.add(event); });
  events.flush();
  writer.end((*source)->problem().empty() ? "made from events" : (*source)->problem());
  if (!writer.problem().empty()) return fail("cannot write '" + output + "': " + writer.problem());
  if (!(*source)->problem().empty()) return fail_input(from + ": " + (*source)->problem());
  return 0;
}

// --- from a run ------------------------------------------------------------------------------------------------------

// Collects in its own thread, while it lives.
class Recording {
 public:
  Recording(history::Collector& collector, history::Writer& writer, const launch::LogFile& log)
      : collector_(collector), writer_(writer), log_(log), thread_([this] { work(); }) {}
  ~Recording() { join(); }

  // Takes what is left. Empty, or why not all is there.
  std::string stop() {
    join();
    if (failure_) std::rethrow_exception(failure_);
    collector_.finish(writer_);
    copy_log();
    return problem_;
  }

 private:
  void join() {
    over_ = true;
    if (thread_.joinable()) thread_.join();
  }
  void work() {
    try {
      while (!over_) {
        collector_.collect(writer_);
        copy_log();
        // A full disk must not block the program.
        if (!writer_.problem().empty()) collector_.close();
      }
    } catch (...) {
      failure_ = std::current_exception();  // out of memory must not block it, either
      collector_.close();
    }
  }
  // The program's description of itself, and its modules, belong to the history. A program that records nothing
  // yields no history.
  void copy_log() {
    if (collector_.program() == 0) return;
    const auto lines = log_.lines_from(copied_);
    if (!lines) {
      if (problem_.empty()) problem_ = lines.error();
      return;
    }
    copied_ += lines->size();
    if (!lines->empty()) writer_.text(*lines);
  }

  history::Collector& collector_;
  history::Writer& writer_;
  const launch::LogFile& log_;
  u64 copied_ = 0;
  std::exception_ptr failure_;
  std::string problem_;
  std::atomic<bool> over_{false};
  std::thread thread_;
};

std::string in_words(const launch::ChildEnd& end) {
  return end.signal != 0 ? "killed by signal " + std::to_string(end.signal)
                         : "exit code " + std::to_string(end.code);
}

void summarise(const std::string& path, const history::Collector& collector, const history::Writer& writer) {
  const double per_record =
      collector.records() ? static_cast<double>(writer.bytes()) / static_cast<double>(collector.records())
                          : 0;
  std::array<char, 32> each;
  std::snprintf(each.data(), each.size(), "%.2f", per_record);
  say(std::to_string(collector.accesses()) + " accesses and " +
      std::to_string(collector.records() - collector.accesses()) + " other records of " +
      std::to_string(collector.streams()) + " threads in '" + path + "', " + std::to_string(writer.bytes()) +
      " bytes (" + each.data() + " a record)");
}

void warn(const history::Collector& collector) {
  if (collector.others() > 0)
    say(std::to_string(collector.others()) +
        " more programs built with Heddle were started; only the first, process " +
        std::to_string(collector.program()) + ", was recorded");
  if (collector.closed() == history::kTooManyThreads)
    say("more threads at once than a recording has room for: it ends there");
}

int record(const Settings& settings, const std::string& path) {
  const Options& options = settings.options;
  if (settings.operands.empty()) return fail("heddle record needs a program; see heddle record --help");
  const auto program = launch::find_watched(settings.operands.front(), options.flag("quiet"));
  if (!program) return fail(program.error());
  if (const auto unfit = launch::unfit_for_record(*program)) return fail(*unfit);

  auto log = launch::LogFile::create(options.text("keep-log"));
  if (!log) return fail(log.error());
  if (const std::string problem = log->append(report::to_json_line(launch::run_line(settings)));
      !problem.empty())
    return fail(problem);
  auto collector = history::Collector::create();
  if (!collector) return fail(collector.error());
  auto sink = history::file_sink(path);
  if (!sink) return fail(sink.error());
  history::Writer writer(*sink);

  const std::string descriptor = std::to_string(collector->descriptor());
  const Arguments variables = {
      std::string(history::kChannelDescriptor) + "=" + descriptor,
      std::string(history::kChannelPath) + "=/proc/" + std::to_string(getpid()) + "/fd/" + descriptor};
  Recording recording(*collector, writer, *log);
  const auto end = launch::run_child(program->path, settings.operands,
                                     launch::watched_environment(*log, options, variables));
  if (!end) return fail(end.error());
  std::string unwritten = log->append(report::to_json_line(report::ExitLine{end->code, end->signal}));
  if (const std::string missing = recording.stop(); unwritten.empty()) unwritten = missing;
  if (collector->program() == 0) return fail(launch::nothing_ran_message(*program, *end, "recorded"));
  writer.end(in_words(*end));

  warn(*collector);
  if (!writer.problem().empty()) return fail("cannot write '" + path + "': " + writer.problem());
  if (!unwritten.empty()) return fail("'" + path + "' does not have all: " + unwritten);
  if (!options.flag("quiet")) summarise(path, *collector, writer);
  return end->code;
}

int run(Settings& settings) {
  const Options& options = settings.options;
  const std::string path = options.is_given("output") ? options.text("output") : "run.hist";
  const std::string events = options.text("from-events");
  return events.empty() ? record(settings, path) : convert(events, path);
}

}  // namespace

const Verb kRecordVerb{"record",
                       options::kRecord,
                       Operands::kProgram,
                       "run a program built with Heddle and keep what it does as a history",
                       "[-o FILE] [options] PROGRAM [arguments]\n"
                       "       heddle record [-o FILE] --from-events=FILE",
                       "Takes any program that heddle run accepts. Nothing is analysed meanwhile: heddle "
                       "history FILE shows what was "
                       "recorded. The file is written while the program runs; if either is killed, what was "
                       "recorded until then can be "
                       "read. If several programs built with Heddle are started, the first one is recorded. "
                       "Exit code: the program's own, "
                       "128+N if signal N killed it, 2 if nothing was recorded.",
                       "  heddle record -o run.hist ./app 1000\n"
                       "  OMP_NUM_THREADS=8 heddle record ./app && heddle history run.hist\n"
                       "  heddle record -o small.hist --from-events=small.txt\n",
                       run};

}  // namespace heddle::cli
