// From a raw log to what the user sees and the exit code says: shared by `heddle run` and `heddle report`.
#pragma once

#include "report/finding.hpp"
#include "report/raw_log.hpp"
#include "report/suppressions.hpp"
#include "settings/options.hpp"

namespace heddle::launch {

using settings::Options;

// The user's suppressions; read before a program runs, so that a mistake in the file costs no run.
Result<report::Suppressions> load_suppressions(const Options&);

// Writes the text report and, if --report asks for it, one for programs.
Result<report::Report> render(const report::RawLog&, report::Suppressions&, const Options&);

// Of a report that is there.
Result<bool> write_reports(const report::Report&, const Options&);

// Did the report find what --fail-on asks for?
bool has_failed(const report::Report&, const Options&);

}  // namespace heddle::launch
