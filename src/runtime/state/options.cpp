#include "runtime/state/options.hpp"

#include "base/text.hpp"

namespace heddle {
namespace {

bool value_of(const char* text, const char* end, const char* name, const char** value) {
  const usize size = length(name);
  if (static_cast<usize>(end - text) <= size || !starts_with(text, name) || text[size] != '=') return false;
  *value = text + size + 1;
  return true;
}

// One of the words between commas.
bool has_word(const char* text, const char* end, const char* word) {
  for (; text < end; text = find(text, ',') + 1) {
    const char* stop = find(text, ',');
    if (stop > end) stop = end;
    if (static_cast<usize>(stop - text) == length(word) && starts_with(text, word)) return true;
  }
  return false;
}

}  // namespace

void Options::parse(const char* text) {
  while (text && *text) {
    const char* end = find(text, ':');
    const char* value;
    if (value_of(text, end, "races", &value)) races = *value != '0' && *value != 'f';
    if (value_of(text, end, "check", &value)) {
      check_races = has_word(value, end, "race");
      check_atomicity = has_word(value, end, "atomicity");
      check_deadlock = has_word(value, end, "deadlock");
    }
    if (value_of(text, end, "halt-on-deadlock", &value)) halt_on_deadlock = *value != '0' && *value != 'f';
    if (value_of(text, end, "names", &value))
      names = *value == 's' ? Names::kSites : *value == 't' ? Names::kTrivial : Names::kIndex;
    if (value_of(text, end, "names-depth", &value)) names_depth = static_cast<u32>(read_number(value));
    if (value_of(text, end, "memory-limit-mb", &value)) memory_limit_mb = read_number(value);
    if (value_of(text, end, "every-serial-thread", &value))
      every_serial_thread = *value != '0' && *value != 'f';
    if (value_of(text, end, "serial", &value)) serial = *value != '0' && *value != 'f';
    if (value_of(text, end, "threads", &value)) threads = static_cast<u32>(read_number(value));
    if (value_of(text, end, "stats", &value)) stats = *value != '0' && *value != 'f';
    text = *end ? end + 1 : end;
  }
}

}  // namespace heddle
