#include <gtest/gtest.h>

#include "cli/verb.hpp"

namespace heddle::cli {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Help, EveryOptionIsInTheHelpAndTheCompletionOfItsVerbs) {
  const std::string completion = bash_completion();
  for (const Verb* verb : verbs()) {
    const std::string help = help_of(*verb), name(verb->name);
    EXPECT_TRUE(has(help, "examples:")) << name;
    const usize at = completion.find("\n    " + name + ") words=");
    ASSERT_NE(at, std::string::npos) << name;
    const std::string words = completion.substr(at + 1, completion.find('\n', at + 1) - at);
    for (const options::Spec& spec : options::kTable) {
      const bool is_on = spec.type.kind == options::Kind::kFlag && spec.initial == std::string_view("1");
      const std::string option = (is_on ? "--no-" : "--") + std::string(spec.name.text);
      EXPECT_EQ(has(words, option + " ") || has(words, option + "="), (spec.verbs & verb->id) != 0)
          << name << " " << option;
      EXPECT_TRUE(!(spec.verbs & verb->id) || has(help, option)) << name << " " << option;
    }
  }
}

TEST(Help, LinesFitATerminal) {
  for (const Verb* verb : verbs()) {
    const std::string help = help_of(*verb);
    for (usize at = 0; at < help.size();) {
      const usize end = help.find('\n', at);
      EXPECT_LE(end - at, 120u) << help.substr(at, end - at);
      at = end + 1;
    }
  }
}

}  // namespace
}  // namespace heddle::cli
