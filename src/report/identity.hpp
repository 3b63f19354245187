// Names of tasks, locks and memory that mean the same in another run of the same program: no addresses, no numbers of
// threads or tasks.
//
// Three abstractions, as the literature compares them (Joshi, Park, Sen, Naik 2009, section 4):
//   index    light-weight execution indexing: the k innermost call sites of the creation, how many the same creator
//            had created there before, and the creator's own name. Distinguishes all objects that a deterministic task
//            creates
//   sites    k-object-sensitivity, as far as C++ has it: the k innermost call sites of the creation. (There they are
//            the sites at which the receivers of the calls were made; a call site is the nearest thing that C has.)
//            What a loop creates has one name
//   trivial  the kind only: all tasks are one, all locks of a kind are one
// A global variable is its own name in the first two.
#pragma once

#include <cstddef>
#include <string>

#include "report/finding.hpp"

namespace heddle::report {

enum class Abstraction { Index, Sites, Trivial };

struct Identities {
  Abstraction abstraction = Abstraction::Index;
  std::size_t depth = 10;  // k

  // Of what `creator`, itself called that, created.
  std::string of(const Task& task, const std::string& creator) const;
  std::string of(const Lock& lock, const Variable& memory, const std::string& creator) const;

 private:
  std::string creation(const Stack& stack, std::uint64_t count, const std::string& creator) const;
};

}  // namespace heddle::report
