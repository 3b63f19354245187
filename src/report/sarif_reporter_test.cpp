#include "report/approval.hpp"
#include "report/formats.hpp"
#include "report/sample_report.hpp"

namespace heddle::report {
namespace {

std::string sarif(const Report& report) {
  std::ostringstream out;
  write_sarif(out, report);
  return out.str();
}

// tests/tool/sarif_check.py holds the baselines against the specification.
TEST(SarifReporter, WholeDocument) { expect_approved("report.sarif", sarif(sample_report())); }

TEST(SarifReporter, ACleanRun) {
  Report clean;
  clean.version = "0.1.0";
  clean.command = {"./app"};
  clean.directory = "/home/user";
  clean.exit_code = 0;
  clean.started = true;
  expect_approved("clean.sarif", sarif(clean));
}

Report with_path(const std::string& path, const std::string& directory) {
  Report report;
  report.directory = directory;
  report.findings = {sample_certain()};
  std::get<Race>(report.findings[0].kind).first.stack.frames[0].path = path;
  return report;
}

TEST(SarifReporter, FilesOfTheRunAreRelativeToIt) {
  EXPECT_NE(sarif(with_path("/home/user/a/../src/app.cpp", "/home/user/")).find("\"uri\": \"src/app.cpp\""),
            std::string::npos);
  EXPECT_NE(sarif(with_path("src/app.cpp", "/home/user")).find("\"uri\": \"src/app.cpp\""),
            std::string::npos);
}

TEST(SarifReporter, OtherFilesAreNamedInFull) {
  EXPECT_NE(sarif(with_path("/usr/include/x.h", "/home/user")).find("\"uri\": \"file:///usr/include/x.h\""),
            std::string::npos);
  EXPECT_NE(
      sarif(with_path("/home/username/x.h", "/home/user")).find("\"uri\": \"file:///home/username/x.h\""),
      std::string::npos);
}

TEST(SarifReporter, AnyPathIsAUri) {
  EXPECT_NE(
      sarif(with_path("/home/user/a b:%#\xff.cpp", "/home/user")).find("\"uri\": \"a%20b%3A%25%23%FF.cpp\""),
      std::string::npos);
}

TEST(SarifReporter, BracesAreNoPlaceholders) {
  Report report = with_path("/home/user/app.cpp", "/home/user");
  report.findings[0].headline = "write in main::{lambda()#1}";
  EXPECT_NE(sarif(report).find("write in main::{{lambda()#1}}"), std::string::npos);
}

TEST(SarifReporter, WhatWasRefutedIsANote) {
  Report report = with_path("/home/user/app.cpp", "/home/user");
  EXPECT_NE(sarif(report).find("\"level\": \"error\",\n          \"message\""), std::string::npos);
  report.findings[0].confirmation.emplace().state = "refuted";
  EXPECT_NE(sarif(report).find("\"level\": \"note\",\n          \"message\""), std::string::npos);
}

}  // namespace
}  // namespace heddle::report
