// From a raw log to the report and the exit code: shared by `heddle run` and `heddle report`.
#pragma once

#include "report/finding.hpp"
#include "report/raw_log.hpp"
#include "report/suppressions.hpp"
#include "settings/options.hpp"

namespace heddle::launch {

using settings::Options;

// The user's suppressions; read before the program runs, so that a mistake in the file costs no run.
Result<report::Suppressions> load_suppressions(const Options&);

// Writes the text report and, with --report, one for programs.
Result<report::Report> render(const report::RawLog&, report::Suppressions&, const Options&);

// Writes an existing report.
Result<bool> write_reports(const report::Report&, const Options&);

// Does the report have what --fail-on asks for?
bool has_failed(const report::Report&, const Options&);

}  // namespace heddle::launch
