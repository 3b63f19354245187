#include "report/confirmation_table.hpp"

#include <algorithm>
#include <iomanip>

#include "output/safe_stream.hpp"

namespace heddle::report {
namespace {

void write_row(output::SafeStream& out, const std::string& number, const char* kind,
               const Confirmation& told) {
  std::string effect = told.state != "confirmed" ? told.why
                       : told.effect.empty()     ? "no visible effect"
                                                 : told.effect;
  if (!told.note.empty()) effect += ": " + told.note;
  if (!told.schedule.empty()) effect += " (" + told.schedule + ")";
  out << std::left << std::setw(8) << number << " " << std::setw(20) << kind << " " << std::setw(10)
      << told.state << " " << std::right << std::setw(6) << told.tries << "  " << effect << "\n";
}

}  // namespace

void write_confirmation_table(std::ostream& stream, const Report& report) {
  output::SafeStream out(stream);
  out << "\n"
      << std::left << std::setw(8) << "finding"
      << " " << std::setw(20) << "kind"
      << " " << std::setw(10) << "state"
      << " " << std::right << std::setw(6) << "tries"
      << "  effect\n";
  for (const Finding& finding : report.findings)
    if (finding.confirmation)
      write_row(out, std::to_string(finding.number), name_of(finding), *finding.confirmation);
  if (report.search) write_row(out, "-", "search", *report.search);
}

std::size_t count_state(const Report& report, const char* state) {
  const auto found = std::count_if(
      report.findings.begin(), report.findings.end(),
      [&](const Finding& finding) { return finding.confirmation && finding.confirmation->state == state; });
  return static_cast<std::size_t>(found) + (report.search && report.search->state == state);
}

}  // namespace heddle::report
