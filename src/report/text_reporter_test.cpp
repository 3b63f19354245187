#include "report/text_reporter.hpp"

#include "report/approval.hpp"
#include "report/sample_report.hpp"

namespace heddle::report {
namespace {

std::string text(const Report& report, const TextOptions& options) {
  std::ostringstream out;
  write_text(out, report, options);
  return out.str();
}

TEST(TextReporter, CertainOnly) { expect_approved("text.txt", text(sample_report(), {})); }

TEST(TextReporter, EverythingOn) {
  expect_approved("text_predicted_stats_color.txt", text(sample_report(), {true, true, true, false}));
}

TEST(TextReporter, ACleanRunIsOneLine) {
  Report clean;
  clean.program = "./app";
  clean.exit_code = 0;
  clean.checks = {"race", "deadlock"};
  EXPECT_EQ(text(clean, {}), "SUMMARY: heddle: no races or potential deadlocks found (./app, exit code 0)\n");
  EXPECT_EQ(text(clean, {false, false, false, true}), "");
}

TEST(TextReporter, WhatWasNotLookedForIsNotSaidToBeAbsent) {
  Report unchecked;
  unchecked.program = "./app";
  unchecked.exit_code = 0;
  EXPECT_EQ(text(unchecked, {}), "SUMMARY: heddle: nothing was looked for (./app, exit code 0)\n");
  unchecked.checks = {"of another version"};
  EXPECT_EQ(text(unchecked, {}), "SUMMARY: heddle: nothing was looked for (./app, exit code 0)\n");
  unchecked.checks = {"atomicity"};
  EXPECT_EQ(text(unchecked, {}), "SUMMARY: heddle: no atomicity violations found (./app, exit code 0)\n");
}

TEST(TextReporter, NothingIsSaidOfWhatWasNotAnalysed) {
  Report partial;
  partial.program = "./app";
  partial.exit_code = 70;
  partial.not_analysed = {"1 forked child"};
  partial.checks = {"race"};
  const std::string expected =
      "heddle: not analysed: 1 forked child\n"
      "SUMMARY: heddle: no races in what was analysed (./app, exit code 70, not everything was analysed)\n";
  EXPECT_EQ(text(partial, {}), expected);
  EXPECT_EQ(text(partial, {false, false, false, true}), expected);
}

TEST(TextReporter, TheSummaryIsTheLastLine) {
  const std::string report = text(sample_report(), {});
  const std::size_t last = report.rfind('\n', report.size() - 2) + 1;
  EXPECT_TRUE(
      report.substr(last).starts_with("SUMMARY: heddle: a deadlock, 1 potential deadlock, 1 atomicity "
                                      "violation, 3 certain races, 1 predicted"))
      << report.substr(last);
}

}  // namespace
}  // namespace heddle::report
