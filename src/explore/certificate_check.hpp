// Checks a certificate by executing the program again, without the explorer's algorithm: no tree, no sleep sets, no
// vector clocks, only definitions.
//
// A set of classes is complete if it is not empty and *closed*: whenever a step j of one of its executions can be
// moved before an earlier step i on which it depends, some class of the set has that prefix. (Proof: suppose a class
// is missing. Take the listed class with the longest common prefix. At the first difference, the missing class makes
// a step that the listed one makes later. Reverse that step with the steps before it, one by one: by closedness each
// result is listed, and the last one shares a longer prefix with the missing class.) So the check
// 1. executes each listed order: it must have the digest it claims, and no race;
// 2. for each of its steps, leaves out an earlier step and all that happens after that one, makes the step, and
//    continues in any order: the resulting class must be listed. If the step is not enabled there, the check leaves
//    out a step that came before the other instead.
#pragma once

#include <string>

#include "explore/certificate.hpp"

namespace heddle::explore {

struct CheckOptions {
  u64 sample = 0;  // number of orders to check, chosen by `seed`; 0: all
  u64 seed = 1;
};

struct CheckReport {
  std::string problem;  // empty: the certificate holds, as far as it was checked
  u64 orders = 0;       // executed again
  u64 reversals = 0;    // tried
  u64 impossible = 0;   // of these
  bool holds() const { return problem.empty(); }
};

CheckReport check_certificate(const Certificate& certificate, Executor& executor,
                              const CheckOptions& options);

}  // namespace heddle::explore
