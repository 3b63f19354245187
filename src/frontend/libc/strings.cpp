// Functions on strings as range accesses: each reads or writes as far as its result requires, including the
// terminating zero.
//
// Lengths are measured with the real functions and only if the call counts; measuring is not an access.
#include <cstring>

#include "frontend/libc/heap.hpp"
#include "frontend/range_call.hpp"

extern "C" [[noreturn]] void __chk_fail();

HEDDLE_REAL(size_t, strlen, const char*);
HEDDLE_REAL(size_t, strnlen, const char*, size_t);

namespace {

using namespace heddle;

usize with_zero(const char* text) { return real_strlen(text) + 1; }
usize with_zero(const char* text, usize most) {
  usize length = real_strnlen(text, most);
  return length < most ? length + 1 : most;
}
HEDDLE_INLINE void demand(usize size, usize room) {
  if (HEDDLE_UNLIKELY(size > room)) __chk_fail();
}
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// A comparison reads both up to and including the first difference or the end.
template <class Same>
HEDDLE_INLINE void reads_to_difference(RangeCall& call, const char* a, const char* b, usize most, Same same) {
  if (!call) return;
  usize i = 0;
  while (i < most && a[i] && same(a[i], b[i])) ++i;
  usize read = i < most ? i + 1 : most;
  call.reads(a, read);
  call.reads(b, read);
}
constexpr usize kUnbounded = ~usize{0};
constexpr auto kExactly = [](char a, char b) { return a == b; };
constexpr auto kAnyCase = [](char a, char b) { return lower(a) == lower(b); };

// A search that found something has not read further.
HEDDLE_INLINE void reads_until(RangeCall& call, const char* text, const char* found) {
  if (call) call.reads(text, found ? address_of(found) - address_of(text) + 1 : with_zero(text));
}

// Copies; `read` is the number of bytes of the source that count.
HEDDLE_INLINE void copies(RangeCall& call, char* to, const char* from, usize read, usize written) {
  call.reads(from, read);
  call.writes(to, written);
}
HEDDLE_INLINE void appends(RangeCall& call, char* to, const char* from, usize length) {
  if (!call) return;
  usize start = real_strlen(to);
  call.reads(to, start + 1);
  call.reads(from, length);
  call.writes(to + start, length + 1);
}

}  // namespace

// --- length, comparison, search ----------------------------------------------------------------------------

HEDDLE_DEFINE(size_t, strlen, const char* text) {
  HEDDLE_RANGE_CALL(call);
  usize length = real_strlen(text);
  call.reads(text, length + 1);
  return length;
}
HEDDLE_DEFINE(size_t, strnlen, const char* text, size_t most) {
  HEDDLE_RANGE_CALL(call);
  usize length = real_strnlen(text, most);
  call.reads(text, length < most ? length + 1 : most);
  return length;
}
HEDDLE_INTERPOSE(int, strcmp, const char* a, const char* b) {
  HEDDLE_RANGE_CALL(call);
  reads_to_difference(call, a, b, kUnbounded, kExactly);
  return real_strcmp(a, b);
}
HEDDLE_INTERPOSE(int, strncmp, const char* a, const char* b, size_t most) {
  HEDDLE_RANGE_CALL(call);
  reads_to_difference(call, a, b, most, kExactly);
  return real_strncmp(a, b, most);
}
HEDDLE_INTERPOSE(int, strcasecmp, const char* a, const char* b) {
  HEDDLE_RANGE_CALL(call);
  reads_to_difference(call, a, b, kUnbounded, kAnyCase);
  return real_strcasecmp(a, b);
}
HEDDLE_INTERPOSE(int, strncasecmp, const char* a, const char* b, size_t most) {
  HEDDLE_RANGE_CALL(call);
  reads_to_difference(call, a, b, most, kAnyCase);
  return real_strncasecmp(a, b, most);
}
HEDDLE_INTERPOSE(int, strcoll, const char* a, const char* b) {
  HEDDLE_RANGE_CALL(call);
  if (call) call.reads(a, with_zero(a)), call.reads(b, with_zero(b));
  return real_strcoll(a, b);
}
HEDDLE_INTERPOSE(char*, strchr, const char* text, int value) {
  HEDDLE_RANGE_CALL(call);
  char* found = real_strchr(text, value);
  reads_until(call, text, found);
  return found;
}
HEDDLE_INTERPOSE(char*, strchrnul, const char* text, int value) {
  HEDDLE_RANGE_CALL(call);
  char* found = real_strchrnul(text, value);
  reads_until(call, text, found);
  return found;
}
HEDDLE_INTERPOSE(char*, strrchr, const char* text, int value) {
  HEDDLE_RANGE_CALL(call);
  if (call) call.reads(text, with_zero(text));
  return real_strrchr(text, value);
}
HEDDLE_INTERPOSE(char*, strstr, const char* text, const char* part) {
  HEDDLE_RANGE_CALL(call);
  char* found = real_strstr(text, part);
  if (call) {
    usize length = real_strlen(part);
    call.reads(part, length + 1);
    call.reads(text, found ? address_of(found) - address_of(text) + length : with_zero(text));
  }
  return found;
}
HEDDLE_INTERPOSE(char*, strcasestr, const char* text, const char* part) {
  HEDDLE_RANGE_CALL(call);
  if (call) call.reads(text, with_zero(text)), call.reads(part, with_zero(part));
  return real_strcasestr(text, part);
}
HEDDLE_INTERPOSE(size_t, strspn, const char* text, const char* set) {
  HEDDLE_RANGE_CALL(call);
  usize length = real_strspn(text, set);
  if (call) call.reads(text, length + 1), call.reads(set, with_zero(set));
  return length;
}
HEDDLE_INTERPOSE(size_t, strcspn, const char* text, const char* set) {
  HEDDLE_RANGE_CALL(call);
  usize length = real_strcspn(text, set);
  if (call) call.reads(text, length + 1), call.reads(set, with_zero(set));
  return length;
}
HEDDLE_INTERPOSE(char*, strpbrk, const char* text, const char* set) {
  HEDDLE_RANGE_CALL(call);
  char* found = real_strpbrk(text, set);
  reads_until(call, text, found);
  if (call) call.reads(set, with_zero(set));
  return found;
}

// --- copies ------------------------------------------------------------------------------------------------

HEDDLE_INTERPOSE(char*, strcpy, char* to, const char* from) {
  HEDDLE_RANGE_CALL(call);
  if (call) copies(call, to, from, with_zero(from), with_zero(from));
  return real_strcpy(to, from);
}
HEDDLE_DEFINE(char*, __strcpy_chk, char* to, const char* from, size_t room) {
  HEDDLE_RANGE_CALL(call);
  usize size = with_zero(from);
  demand(size, room);
  copies(call, to, from, size, size);
  return real_strcpy(to, from);
}
HEDDLE_INTERPOSE(char*, stpcpy, char* to, const char* from) {
  HEDDLE_RANGE_CALL(call);
  if (call) copies(call, to, from, with_zero(from), with_zero(from));
  return real_stpcpy(to, from);
}
HEDDLE_DEFINE(char*, __stpcpy_chk, char* to, const char* from, size_t room) {
  HEDDLE_RANGE_CALL(call);
  usize size = with_zero(from);
  demand(size, room);
  copies(call, to, from, size, size);
  return real_stpcpy(to, from);
}
HEDDLE_INTERPOSE(char*, strncpy, char* to, const char* from, size_t size) {  // fills the rest with zeros
  HEDDLE_RANGE_CALL(call);
  if (call) copies(call, to, from, with_zero(from, size), size);
  return real_strncpy(to, from, size);
}
HEDDLE_DEFINE(char*, __strncpy_chk, char* to, const char* from, size_t size, size_t room) {
  HEDDLE_RANGE_CALL(call);
  demand(size, room);
  if (call) copies(call, to, from, with_zero(from, size), size);
  return real_strncpy(to, from, size);
}
HEDDLE_INTERPOSE(char*, stpncpy, char* to, const char* from, size_t size) {
  HEDDLE_RANGE_CALL(call);
  if (call) copies(call, to, from, with_zero(from, size), size);
  return real_stpncpy(to, from, size);
}
HEDDLE_DEFINE(char*, __stpncpy_chk, char* to, const char* from, size_t size, size_t room) {
  HEDDLE_RANGE_CALL(call);
  demand(size, room);
  if (call) copies(call, to, from, with_zero(from, size), size);
  return real_stpncpy(to, from, size);
}
HEDDLE_INTERPOSE(char*, strcat, char* to, const char* from) {
  HEDDLE_RANGE_CALL(call);
  if (call) appends(call, to, from, real_strlen(from));
  return real_strcat(to, from);
}
HEDDLE_DEFINE(char*, __strcat_chk, char* to, const char* from, size_t room) {
  HEDDLE_RANGE_CALL(call);
  usize length = real_strlen(from);
  demand(real_strlen(to) + length + 1, room);
  appends(call, to, from, length);
  return real_strcat(to, from);
}
HEDDLE_INTERPOSE(char*, strncat, char* to, const char* from, size_t most) {
  HEDDLE_RANGE_CALL(call);
  if (call) appends(call, to, from, real_strnlen(from, most));
  return real_strncat(to, from, most);
}
HEDDLE_DEFINE(char*, __strncat_chk, char* to, const char* from, size_t most, size_t room) {
  HEDDLE_RANGE_CALL(call);
  usize length = real_strnlen(from, most);
  demand(real_strlen(to) + length + 1, room);
  appends(call, to, from, length);
  return real_strncat(to, from, most);
}

// Allocated here, not inside libc, so that the block's stack begins in the program.
namespace {
char* duplicate(RangeCall& call, const char* text, usize length, usize read, uptr caller, void* frame) {
  call.reads(text, read);
  auto* copy = static_cast<char*>(libc::allocate_by_malloc(length + 1, caller, frame));
  if (!copy) return nullptr;
  for (usize i = 0; i < length; ++i) copy[i] = text[i];
  copy[length] = 0;
  call.writes(copy, length + 1);
  return copy;
}
}  // namespace

HEDDLE_DEFINE(char*, strdup, const char* text) {
  HEDDLE_RANGE_CALL(call);
  usize length = real_strlen(text);
  return duplicate(call, text, length, length + 1, HEDDLE_ALLOCATOR_CALL);
}
HEDDLE_DEFINE(char*, __strdup, const char* text) {
  HEDDLE_RANGE_CALL(call);
  usize length = real_strlen(text);
  return duplicate(call, text, length, length + 1, HEDDLE_ALLOCATOR_CALL);
}
HEDDLE_DEFINE(char*, strndup, const char* text, size_t most) {
  HEDDLE_RANGE_CALL(call);
  return duplicate(call, text, real_strnlen(text, most), with_zero(text, most), HEDDLE_ALLOCATOR_CALL);
}

// --- cutting into tokens: writes a zero behind each --------------------------------------------------------

namespace {
void cuts(RangeCall& call, const char* from, const char* token, const char* separators) {
  if (!call) return;
  call.reads(separators, with_zero(separators));
  if (!token) return;
  usize length = real_strlen(token);
  call.reads(from, address_of(token) - address_of(from) + length + 1);
  call.writes(token + length, 1);
}
}  // namespace

HEDDLE_INTERPOSE(char*, strtok_r, char* text, const char* separators, char** rest) {
  HEDDLE_RANGE_CALL(call);
  const char* from = text ? text : *rest;
  if (!text) call.reads(rest, sizeof *rest);
  char* token = real_strtok_r(text, separators, rest);
  cuts(call, from, token, separators);
  call.writes(rest, sizeof *rest);
  return token;
}
HEDDLE_INTERPOSE(char*, strsep, char** rest, const char* separators) {
  HEDDLE_RANGE_CALL(call);
  call.reads(rest, sizeof *rest);
  const char* from = *rest;
  char* token = real_strsep(rest, separators);
  cuts(call, from, token, separators);
  call.writes(rest, sizeof *rest);
  return token;
}
// strtok keeps its position in one variable for all threads: every call writes that variable.
namespace {
char g_strtok_place;
}
HEDDLE_INTERPOSE(char*, strtok, char* text, const char* separators) {
  HEDDLE_RANGE_CALL(call);
  char* token = real_strtok(text, separators);
  call.writes(&g_strtok_place, 1);
  cuts(call, token, token, separators);
  return token;
}

// --- numbers -----------------------------------------------------------------------------------------------

namespace {
// A conversion reads up to and including the first character that it does not use. `convert` says where that is.
template <class Convert>
auto converts(RangeCall& call, const char* text, char** end, Convert convert) {
  char* stop;
  const auto value = convert(&stop);
  call.reads(text, address_of(stop) - address_of(text) + 1);
  if (end) {
    *end = stop;
    call.writes(end, sizeof *end);
  }
  return value;
}
}  // namespace

#define HEDDLE_CONVERT(type, name)                 \
  HEDDLE_INTERPOSE(type, name, const char* text) { \
    HEDDLE_RANGE_CALL(call);                       \
    if (call) call.reads(text, with_zero(text));   \
    return real_##name(text);                      \
  }
#define HEDDLE_CONVERT_FLOAT(type, name)                                                    \
  HEDDLE_INTERPOSE(type, name, const char* text, char** end) {                              \
    HEDDLE_RANGE_CALL(call);                                                                \
    return converts(call, text, end, [=](char** stop) { return real_##name(text, stop); }); \
  }
#define HEDDLE_CONVERT_INTEGER(type, name)                                                        \
  HEDDLE_INTERPOSE(type, name, const char* text, char** end, int base) {                          \
    HEDDLE_RANGE_CALL(call);                                                                      \
    return converts(call, text, end, [=](char** stop) { return real_##name(text, stop, base); }); \
  }
HEDDLE_CONVERT(int, atoi)
HEDDLE_CONVERT(long, atol)
HEDDLE_CONVERT(long long, atoll)
HEDDLE_CONVERT(double, atof)
HEDDLE_CONVERT_INTEGER(long, strtol)
HEDDLE_CONVERT_INTEGER(long long, strtoll)
HEDDLE_CONVERT_INTEGER(unsigned long, strtoul)
HEDDLE_CONVERT_INTEGER(unsigned long long, strtoull)
HEDDLE_CONVERT_FLOAT(float, strtof)
HEDDLE_CONVERT_FLOAT(double, strtod)
HEDDLE_CONVERT_FLOAT(long double, strtold)
