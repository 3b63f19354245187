#include <array>

#include "cli/verb.hpp"

namespace heddle::cli {

std::span<const Verb* const> verbs() {
  static constexpr std::array kVerbs = {
      &kCcVerb,      &kCxxVerb,     &kFcVerb,    &kRunVerb,     &kRecordVerb,
      &kReportVerb,  &kAnalyzeVerb, &kGraphVerb, &kHistoryVerb, &kGenerateVerb,
      &kConfirmVerb, &kMeetVerb,    &kProveVerb, &kReplayVerb,  &kCheckCertificateVerb,
      &kOptionsVerb};
  return kVerbs;
}

}  // namespace heddle::cli
