#include "launch/render.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "output/messages.hpp"
#include "output/output_file.hpp"
#include "report/assemble.hpp"
#include "report/formats.hpp"
#include "report/text_reporter.hpp"

namespace heddle::launch {
namespace {

bool wants_color(const Options& options, bool to_terminal) {
  const std::string choice = options.text("color");
  if (choice != "auto") return choice == "always";
  const char* no_color = std::getenv("NO_COLOR");  // no-color.org: present and not empty
  return to_terminal && !(no_color && *no_color);
}

// The output of `put` to a stream. Without the exception a stream hides that it is out of memory.
template <class Put>
std::string text_of(Put&& put) {
  std::ostringstream text;
  text.exceptions(std::ios::badbit);
  put(text);
  return text.str();
}

// Writes the output of `put` to a stream. Returns empty, or the problem.
template <class Put>
std::string write_whole(const std::string& path, Put&& put) {
  return output::write_file(path, text_of(put));
}

report::Identities identities(const Options& options) {
  const std::string names = options.text("names");
  return {names == "index"   ? report::Abstraction::Index
          : names == "sites" ? report::Abstraction::Sites
                             : report::Abstraction::Trivial,
          options.number("names-depth")};
}

}  // namespace

Result<report::Suppressions> load_suppressions(const Options& options) {
  const std::string path = options.text("suppressions");
  if (path.empty()) return report::Suppressions{};
  return report::Suppressions::load(path);
}

Result<report::Report> render(const report::RawLog& log, report::Suppressions& suppressions,
                              const Options& options) {
  report::Report report = report::assemble(log, suppressions,
                                           {options.flag("predicted") || !options.text("report").empty(),
                                            options.number("max-reports"), identities(options)});
  if (auto written = write_reports(report, options); !written) return Error{written.error()};
  return report;
}

Result<bool> write_reports(const report::Report& report, const Options& options) {
  const std::string path_for_programs = options.text("report");
  const bool predicted = options.flag("predicted");
  report::TextOptions text{false, predicted, options.flag("stats"), options.flag("quiet")};
  std::string problem;
  if (const std::string path = options.text("log-path"); !path.empty()) {
    text.color = wants_color(options, false);
    problem = write_whole(path, [&](std::ostream& out) { report::write_text(out, report, text); });
  } else {
    text.color = wants_color(options, isatty(STDERR_FILENO));
    problem = output::show(text_of([&](std::ostream& out) { report::write_text(out, report, text); }));
  }
  if (!path_for_programs.empty()) {
    const auto write = report::format_of(path_for_programs).write;
    const std::string other = write_whole(path_for_programs, [&](std::ostream& out) { write(out, report); });
    if (problem.empty()) problem = other;
  }
  if (!problem.empty()) return Error{problem};
  return true;
}

bool has_failed(const report::Report& report, const Options& options) {
  const std::string fail_on = options.text("fail-on");
  if (fail_on == "none") return false;
  const bool stalled = std::any_of(report.stalls.begin(), report.stalls.end(),
                                   [](const report::Stall& stall) { return stall.is_bug(); });
  return stalled || report.deadlocks > 0 || report.certain + report.certain_violations > 0 ||
         (fail_on == "predicted" && report.predicted + report.predicted_violations > 0);
}

}  // namespace heddle::launch
