// Approval tests: the whole output of a reporter is compared with a baseline file in baselines/. After a
// wanted change, run the test with HEDDLE_APPROVE=1 and read the difference in version control.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace heddle::report {

inline void expect_approved(const std::string& baseline, const std::string& actual) {
  const std::string path = std::string(HEDDLE_SOURCE_DIR) + "/src/report/baselines/" + baseline;
  if (std::getenv("HEDDLE_APPROVE")) std::ofstream(path) << actual;
  std::ifstream in(path);
  ASSERT_TRUE(in) << "no baseline " << path << "; HEDDLE_APPROVE=1 writes it";
  std::ostringstream expected;
  expected << in.rdbuf();
  EXPECT_EQ(actual, expected.str()) << "differs from " << path << "; HEDDLE_APPROVE=1 accepts it";
}

}  // namespace heddle::report
