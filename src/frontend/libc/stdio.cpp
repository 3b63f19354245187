// Streams and formatting: accesses to the program's buffers. The inside of a stream is libc's, under its own lock.
// `%s` arguments are not checked.
#include <cstdarg>
#include <cstdio>

#include "frontend/libc/streams.hpp"
#include "frontend/range_call.hpp"

HEDDLE_REAL(size_t, strlen, const char*);
HEDDLE_REAL(int, vsnprintf, char*, size_t, const char*, va_list);
HEDDLE_REAL(int, vsprintf, char*, const char*, va_list);
HEDDLE_REAL(int, __vsnprintf_chk, char*, size_t, int, size_t, const char*, va_list);
HEDDLE_REAL(int, __vsprintf_chk, char*, int, size_t, const char*, va_list);

namespace {

using namespace heddle;

// The bytes that a formatted print wrote: the text and its zero, or as much as there was room for.
HEDDLE_INLINE int wrote(RangeCall& call, const char* to, usize room, int result) {
  if (result >= 0) {
    usize size = static_cast<usize>(result) + 1;
    call.writes(to, size < room ? size : room);
  }
  return result;
}
constexpr usize kUnbounded = ~usize{0};

// Calls `print` with the arguments behind `last`.
#define HEDDLE_WITH_ARGUMENTS(last, print) \
  va_list arguments;                       \
  va_start(arguments, last);               \
  int result = print;                      \
  va_end(arguments)

}  // namespace

// --- into a buffer -----------------------------------------------------------------------------------------

HEDDLE_DEFINE(int, vsnprintf, char* to, size_t room, const char* format, va_list arguments) {
  HEDDLE_RANGE_CALL(call);
  return wrote(call, to, room, real_vsnprintf(to, room, format, arguments));
}
HEDDLE_DEFINE(int, snprintf, char* to, size_t room, const char* format, ...) {
  HEDDLE_RANGE_CALL(call);
  HEDDLE_WITH_ARGUMENTS(format, real_vsnprintf(to, room, format, arguments));
  return wrote(call, to, room, result);
}
HEDDLE_DEFINE(int, vsprintf, char* to, const char* format, va_list arguments) {
  HEDDLE_RANGE_CALL(call);
  return wrote(call, to, kUnbounded, real_vsprintf(to, format, arguments));
}
HEDDLE_DEFINE(int, sprintf, char* to, const char* format, ...) {
  HEDDLE_RANGE_CALL(call);
  HEDDLE_WITH_ARGUMENTS(format, real_vsprintf(to, format, arguments));
  return wrote(call, to, kUnbounded, result);
}
HEDDLE_DEFINE(int, __vsnprintf_chk, char* to, size_t room, int flag, size_t known, const char* format,
              va_list arguments) {
  HEDDLE_RANGE_CALL(call);
  return wrote(call, to, room, real___vsnprintf_chk(to, room, flag, known, format, arguments));
}
HEDDLE_DEFINE(int, __snprintf_chk, char* to, size_t room, int flag, size_t known, const char* format, ...) {
  HEDDLE_RANGE_CALL(call);
  HEDDLE_WITH_ARGUMENTS(format, real___vsnprintf_chk(to, room, flag, known, format, arguments));
  return wrote(call, to, room, result);
}
HEDDLE_DEFINE(int, __vsprintf_chk, char* to, int flag, size_t known, const char* format, va_list arguments) {
  HEDDLE_RANGE_CALL(call);
  return wrote(call, to, kUnbounded, real___vsprintf_chk(to, flag, known, format, arguments));
}
HEDDLE_DEFINE(int, __sprintf_chk, char* to, int flag, size_t known, const char* format, ...) {
  HEDDLE_RANGE_CALL(call);
  HEDDLE_WITH_ARGUMENTS(format, real___vsprintf_chk(to, flag, known, format, arguments));
  return wrote(call, to, kUnbounded, result);
}

// --- from and to streams -----------------------------------------------------------------------------------

HEDDLE_INTERPOSE(size_t, fread, void* to, size_t size, size_t count, FILE* stream) {
  HEDDLE_RANGE_CALL(call);
  libc::before_input(stream, HEDDLE_CALLER);
  size_t read = real_fread(to, size, count, stream);
  call.writes(to, read * size);
  return read;
}
HEDDLE_INTERPOSE(size_t, fwrite, const void* from, size_t size, size_t count, FILE* stream) {
  HEDDLE_RANGE_CALL(call);
  call.reads(from, size * count);
  libc::before_output(stream, HEDDLE_CALLER);
  return real_fwrite(from, size, count, stream);
}
HEDDLE_INTERPOSE(char*, fgets, char* to, int size, FILE* stream) {
  HEDDLE_RANGE_CALL(call);
  libc::before_input(stream, HEDDLE_CALLER);
  char* line = real_fgets(to, size, stream);
  if (line && call) call.writes(to, real_strlen(to) + 1);
  return line;
}
HEDDLE_INTERPOSE(int, fputs, const char* text, FILE* stream) {
  HEDDLE_RANGE_CALL(call);
  if (call) call.reads(text, real_strlen(text) + 1);
  libc::before_output(stream, HEDDLE_CALLER);
  return real_fputs(text, stream);
}
HEDDLE_INTERPOSE(int, puts, const char* text) {
  HEDDLE_RANGE_CALL(call);
  if (call) call.reads(text, real_strlen(text) + 1);
  libc::before_output(stdout, HEDDLE_CALLER);
  return real_puts(text);
}

// The line buffer grows inside libc, through the hooks of the malloc family.
namespace {
HEDDLE_INLINE ssize_t got_line(RangeCall& call, char** line, size_t* room, ssize_t length) {
  call.writes(line, sizeof *line);
  call.writes(room, sizeof *room);
  if (length >= 0) call.writes(*line, static_cast<usize>(length) + 1);
  return length;
}
}  // namespace

HEDDLE_INTERPOSE(ssize_t, getline, char** line, size_t* room, FILE* stream) {
  HEDDLE_RANGE_CALL(call);
  libc::before_input(stream, HEDDLE_CALLER);
  return got_line(call, line, room, real_getline(line, room, stream));
}
HEDDLE_INTERPOSE(ssize_t, getdelim, char** line, size_t* room, int end, FILE* stream) {
  HEDDLE_RANGE_CALL(call);
  libc::before_input(stream, HEDDLE_CALLER);
  return got_line(call, line, room, real_getdelim(line, room, end, stream));
}
HEDDLE_INTERPOSE(ssize_t, __getdelim, char** line, size_t* room, int end, FILE* stream) {
  HEDDLE_RANGE_CALL(call);
  libc::before_input(stream, HEDDLE_CALLER);
  return got_line(call, line, room, real___getdelim(line, room, end, stream));
}
