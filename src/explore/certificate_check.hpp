// Checks a certificate by executing the program again, without the explorer: no tree, no sleepers, no clocks, plain
// definitions only.
//
// A set of classes is all there are if it is not empty and *closed*: whenever a step of one of its executions could
// have come earlier, before another on which it depends, some class of the set begins so. (If a class were missing,
// take the one listed that agrees with it for longest. Where they part, the missing one makes a step that the listed
// one makes later, behind others. Turn these round, one by one: closedness leads to listed classes that agree for
// longer.) So it is enough to
// 1. execute each order that is listed: it must have the digest it claims, and no race;
// 2. for each of its steps, leave out another that came before and all that followed from that, make the step, and
//    go on anyhow: what comes of it must be listed. What cannot be made need not be; then a step that came before the
//    other is left out instead.
#pragma once

#include <string>

#include "explore/certificate.hpp"

namespace heddle::explore {

struct CheckOptions {
  u64 sample = 0;  // so many orders, chosen by `seed`; 0: all
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
