#include "runtime/state/options.hpp"

namespace heddle {
namespace {

// The words of an option's row, to compare them with ours.
struct Words {
#define PROGRAM_OPTION(name, type, ...) static constexpr options::Type name = options::type;
#include "options/program.inc"
#undef PROGRAM_OPTION
};

constexpr u64 index_of(const options::Type& type, const char* word) {
  return options::parse_choice(type.value, options::slice(word)).meaning;
}
static_assert(index_of(Words::names, "sites") == static_cast<u64>(Names::kSites));
static_assert(index_of(Words::names, "trivial") == static_cast<u64>(Names::kTrivial));

constexpr u64 bit_of(const char* word) { return u64{1} << index_of(Words::check, word); }

}  // namespace

bool Options::parse(const char* text) {
  const bool fine = ProgramOptions::parse(text);
  check_races = check & bit_of("race");
  check_atomicity = check & bit_of("atomicity");
  check_deadlock = check & bit_of("deadlock");
  return fine;
}

}  // namespace heddle
