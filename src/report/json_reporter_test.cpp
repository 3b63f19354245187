#include "report/approval.hpp"
#include "report/formats.hpp"
#include "report/sample_report.hpp"

namespace heddle::report {
namespace {

std::string json(const Report& report) {
  std::ostringstream out;
  write_json(out, report);
  return out.str();
}

TEST(JsonReporter, WholeDocument) { expect_approved("report.json", json(sample_report())); }

TEST(JsonReporter, ACleanRun) {
  Report clean;
  clean.version = "0.1.0";
  clean.command = {"./app"};
  clean.exit_code = 0;
  expect_approved("clean.json", json(clean));
}

TEST(JsonReporter, NamesThatAreNotUtf8DoNotBreakIt) {
  Report report = sample_report();
  report.command = {"./\xff\xfe"};
  EXPECT_NE(json(report).find("\"command\""), std::string::npos);
}

}  // namespace
}  // namespace heddle::report
