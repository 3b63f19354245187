// A verb of the command line: `heddle VERB ...`. One file a verb; main.cpp only chooses.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

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

// Wrong use or a missing part, as opposed to a finding or the program's own failure.
inline constexpr int kUsageError = 2;

// A file that was given is damaged, incomplete or of another kind, and nothing was found in what could be read (EX_DATAERR).
inline constexpr int kDamagedInput = 65;

// Neither a proof nor a bug; neither confirmed nor refuted.
inline constexpr int kUndecided = 4;

// Prints `heddle: MESSAGE` to the standard error, fit for a terminal.
void say(const std::string& message);
// The same, and returns kUsageError, or kDamagedInput.
int fail(const std::string& message);
int fail_input(const std::string& message);
int fail(const Error& error);

}  // namespace heddle::cli
