// A row of the table of options (table.inc), and the verbs that it may name.
#pragma once

#include "options/value.hpp"

namespace heddle::options {

// A bit each: the verbs whose command line takes an option.
enum Verbs : u32 {
  kRun = 1 << 0,
  kRecord = 1 << 1,
  kReport = 1 << 2,
  kAnalyze = 1 << 3,
  kGraph = 1 << 4,
  kHistory = 1 << 5,
  kGenerate = 1 << 6,
  kConfirm = 1 << 7,
  kMeet = 1 << 8,
  kProve = 1 << 9,
  kReplay = 1 << 10,
  kCheckCertificate = 1 << 11,
  kOptions = 1 << 12,
  kCompile = 1 << 13,  // cc, c++, fc

  kSteering = kConfirm | kMeet,
  kExploring = kSteering | kProve,
  kReporting = kRun | kReport | kConfirm | kProve | kReplay,
  kStarting = kRun | kRecord | kConfirm | kMeet | kProve | kReplay | kCheckCertificate,  // a program
  kReading = kAnalyze | kGraph | kHistory,                                               // a history
  kAll = kStarting | kReport | kReading | kGenerate,
};

constexpr Verbs operator|(Verbs a, Verbs b) { return static_cast<Verbs>(u32{a} | u32{b}); }

// The name as users write it: an identifier of table.inc with dashes.
struct Name {
  char text[24] = {};
  constexpr explicit Name(const char* identifier) {
    for (usize i = 0; identifier[i]; ++i) text[i] = identifier[i] == '_' ? '-' : identifier[i];
  }
};

struct Spec {
  Name name;
  Type type;
  const char* initial;  // the default value; "": none
  u32 verbs = 0;
  bool to_program = false;
  const char* help = "";
};

}  // namespace heddle::options
