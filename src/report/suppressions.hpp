// Suppression files: known bugs that the user does not want reported.
//
//   # comment
//   race:legacy_*              a function anywhere in either stack
//   race:queue.cpp:41          one source line
//   race:third_party/*         a directory
//   race:counter               a variable
//   race:libfoo.so             a module
//   race_top:fast_path         only the innermost frame of either stack
//   atomicity:counter          the same for atomicity violations, with all three stacks; atomicity_top
//   deadlock:cache_lock        for deadlocks, with the stacks of all acquisitions and the names of all locks;
//                              deadlock_top
//
// A pattern must match a whole name: `queue.cpp:4` does not silence line 41. `*` and `?` are wildcards. Of a
// path any tail that starts at a directory may match, of a qualified name any tail that starts at `::`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/finding.hpp"
#include "support/result.hpp"

namespace heddle::report {

// `*` matches any sequence, `/` and `:` included; `?` any one character. Linear in practice, quadratic at
// worst.
bool glob_match(std::string_view pattern, std::string_view text);

class Suppressions {
 public:
  Suppressions() = default;
  // `where` names the file in messages.
  static Result<Suppressions> parse(std::string_view text, const std::string& where);
  static Result<Suppressions> load(const std::string& path);

  enum class About { Race, Violation, Deadlock };
  // Does some rule silence this bug? Marks every rule that does as used.
  bool match(About about, const std::vector<const Stack*>& stacks, const std::vector<std::string>& variables);

  std::vector<UnusedSuppression> unused() const;
  bool empty() const { return rules_.empty(); }

 private:
  struct Rule {
    std::string pattern;
    About about = About::Race;
    bool top_only = false;
    std::string text, where;
    bool used = false;
  };
  static bool matches(const Rule&, const Stack&);
  std::vector<Rule> rules_;
};

}  // namespace heddle::report
