// A verb of the command line: `heddle VERB ...`. One file per verb; main.cpp only chooses.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "options/spec.hpp"
#include "output/messages.hpp"
#include "output/text_file.hpp"
#include "settings/settings.hpp"
#include "settings/suggest.hpp"
#include "support/result.hpp"

namespace heddle::cli {

using Arguments = std::vector<std::string>;

// Messages and files, as in every verb.
using output::fail, output::fail_input, output::say;
using output::kDamagedInput, output::kIncomplete, output::kUndecided, output::kUsageError;
using output::read_text, output::write_text;
using settings::did_you_mean;
using settings::Operands, settings::Options, settings::Settings;

struct Verb {
  std::string_view name;
  options::Verbs id;  // which options it takes: options/table.inc
  Operands operands;
  std::string_view summary;          // one line for `heddle --help`
  std::string_view usage;            // what follows the name on a command line
  std::string_view about;            // for --help: a paragraph, wrapped there
  std::string_view examples;         // lines
  int (*run)(Settings&);             // returns the exit code
  std::string (*lists)() = nullptr;  // for --help: the entries of a registry
};

std::span<const Verb* const> verbs();

// `heddle VERB --help`, and a part of it: the options of the verb.
std::string help_of(const Verb& verb);
std::string options_help(u32 verbs);

// A completion script for bash.
std::string bash_completion();

extern const Verb kCcVerb, kCxxVerb, kFcVerb, kRunVerb, kRecordVerb, kReportVerb, kAnalyzeVerb, kGraphVerb,
    kHistoryVerb, kGenerateVerb, kOptionsVerb, kProveVerb, kReplayVerb, kCheckCertificateVerb, kConfirmVerb,
    kMeetVerb;

// For the wrapper under one of its own names (heddle-clang++).
int run_wrapper(std::string_view name, const Arguments&);

}  // namespace heddle::cli
