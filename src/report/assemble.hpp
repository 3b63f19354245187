// From a raw log to a report: symbolise, suppress, de-duplicate, explain. The one place where the parts of
// this folder meet.
//
// One bug is one *source pair*: function and file:line of the innermost user frames of both accesses, in
// either order; of an atomicity violation, a triple. The races of a pair are counted; the first one with the
// strongest evidence stands for all.
#pragma once

#include "report/finding.hpp"
#include "report/identity.hpp"
#include "report/suppressions.hpp"

namespace heddle::report {

struct AssembleOptions {
  bool list_predicted = false;   // fill in findings for predicted races too; they are counted in any case
  std::size_t max_findings = 0;  // 0 = all
  Identities identities = {};
};

// A clean log opens no file.
Report assemble(const RawLog&, Suppressions&, const AssembleOptions&);

// A command line for a shell, quoted where needed.
std::string shell_words(const std::vector<std::string>&);

}  // namespace heddle::report
