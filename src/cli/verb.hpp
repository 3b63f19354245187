// A verb of the command line: `heddle VERB ...`. One file a verb; main.cpp only chooses.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "output/messages.hpp"
#include "output/text_file.hpp"
#include "settings/settings.hpp"
#include "settings/suggest.hpp"
#include "support/result.hpp"

namespace heddle::cli {

using Arguments = std::vector<std::string>;

struct Verb {
  std::string_view name;
  std::string_view summary;  // one line for `heddle --help`
  std::string (*help)();
  int (*run)(const Arguments&);  // arguments after the verb; returns the exit code
};

extern const Verb kCcVerb, kCxxVerb, kFcVerb, kRunVerb, kRecordVerb, kReportVerb, kAnalyzeVerb, kGraphVerb,
    kHistoryVerb, kGenerateVerb, kOptionsVerb, kProveVerb, kReplayVerb, kCheckCertificateVerb, kConfirmVerb,
    kMeetVerb;

// For the wrapper under one of its own names (heddle-clang++).
int run_wrapper(std::string_view name, const Arguments&);

// What every verb says and reads.
using output::fail, output::fail_input, output::say;
using output::kDamagedInput, output::kUndecided, output::kUsageError;
using output::read_text, output::write_text;
using settings::collect_settings, settings::did_you_mean, settings::options_help;
using settings::Consumer, settings::Options, settings::Settings;

}  // namespace heddle::cli
