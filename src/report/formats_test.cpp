#include "report/formats.hpp"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

TEST(Formats, TheEndingOfTheFileChooses) {
  for (const Format& format : formats())
    EXPECT_EQ(&format_of(std::string("out/app.") + format.name), &format) << format.name;
}

TEST(Formats, OtherEndingsMeanJson) {
  for (const char* path : {"report", "report.txt", "out.sarif/report", "report.", ""})
    EXPECT_STREQ(format_of(path).name, "json") << path;
}

}  // namespace
}  // namespace heddle::report
