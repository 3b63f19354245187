// The same for wide characters: the functions that copy, fill, measure and compare.
#include <cwchar>
#include "frontend/range_call.hpp"

HEDDLE_REAL(size_t, wcslen, const wchar_t*);
HEDDLE_REAL(size_t, wcsnlen, const wchar_t*, size_t);

namespace {

using namespace heddle;

constexpr usize kWide = sizeof(wchar_t);

HEDDLE_INLINE void copies(RangeCall& call, wchar_t* to, const wchar_t* from, usize count) {
  call.reads(from, count * kWide);
  call.writes(to, count * kWide);
}
HEDDLE_INLINE void reads_to_difference(RangeCall& call, const wchar_t* a, const wchar_t* b, usize most,
                                       bool zero_ends) {
  if (!call) return;
  usize i = 0;
  while (i < most && a[i] == b[i] && !(zero_ends && !a[i])) ++i;
  usize read = (i < most ? i + 1 : most) * kWide;
  call.reads(a, read);
  call.reads(b, read);
}

}  // namespace

HEDDLE_INTERPOSE(wchar_t*, wmemcpy, wchar_t* to, const wchar_t* from, size_t count) {
  HEDDLE_RANGE_CALL(call);
  copies(call, to, from, count);
  return real_wmemcpy(to, from, count);
}
HEDDLE_INTERPOSE(wchar_t*, wmemmove, wchar_t* to, const wchar_t* from, size_t count) {
  HEDDLE_RANGE_CALL(call);
  copies(call, to, from, count);
  return real_wmemmove(to, from, count);
}
HEDDLE_INTERPOSE(wchar_t*, wmemset, wchar_t* to, wchar_t value, size_t count) {
  HEDDLE_RANGE_CALL(call);
  call.writes(to, count * kWide);
  return real_wmemset(to, value, count);
}
HEDDLE_INTERPOSE(int, wmemcmp, const wchar_t* a, const wchar_t* b, size_t count) {
  HEDDLE_RANGE_CALL(call);
  reads_to_difference(call, a, b, count, false);
  return real_wmemcmp(a, b, count);
}
HEDDLE_DEFINE(size_t, wcslen, const wchar_t* text) {
  HEDDLE_RANGE_CALL(call);
  usize length = real_wcslen(text);
  call.reads(text, (length + 1) * kWide);
  return length;
}
HEDDLE_DEFINE(size_t, wcsnlen, const wchar_t* text, size_t most) {
  HEDDLE_RANGE_CALL(call);
  usize length = real_wcsnlen(text, most);
  call.reads(text, (length < most ? length + 1 : most) * kWide);
  return length;
}
HEDDLE_INTERPOSE(int, wcscmp, const wchar_t* a, const wchar_t* b) {
  HEDDLE_RANGE_CALL(call);
  reads_to_difference(call, a, b, ~usize{0}, true);
  return real_wcscmp(a, b);
}
HEDDLE_INTERPOSE(int, wcsncmp, const wchar_t* a, const wchar_t* b, size_t most) {
  HEDDLE_RANGE_CALL(call);
  reads_to_difference(call, a, b, most, true);
  return real_wcsncmp(a, b, most);
}
HEDDLE_INTERPOSE(wchar_t*, wcscpy, wchar_t* to, const wchar_t* from) {
  HEDDLE_RANGE_CALL(call);
  if (call) copies(call, to, from, real_wcslen(from) + 1);
  return real_wcscpy(to, from);
}
HEDDLE_INTERPOSE(wchar_t*, wcscat, wchar_t* to, const wchar_t* from) {
  HEDDLE_RANGE_CALL(call);
  if (call) {
    usize start = real_wcslen(to);
    call.reads(to, (start + 1) * kWide);
    copies(call, to + start, from, real_wcslen(from) + 1);
  }
  return real_wcscat(to, from);
}
