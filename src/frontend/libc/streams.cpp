#include "frontend/libc/streams.hpp"

#include <cstdarg>

#include "frontend/libc/blocking.hpp"

namespace heddle::libc {

void wait_for_stream(FILE* stream, bool input, uptr caller) {
  if (!control::available(address_of(stream), true))
    control::choose({.op = control::Op::kWait,
                     .object = address_of(stream),
                     .enabled = [](void* data) { return control::available(address_of(data), true); },
                     .data = stream,
                     .what = "waits for a locked stream",
                     .pc = caller});
  // Buffered input does not block; a read of more than that may block nevertheless.
  if (input && stream->_IO_read_ptr >= stream->_IO_read_end && stream->_fileno >= 0)
    wait_until_ready(stream->_fileno, POLLIN, caller);
}

}  // namespace heddle::libc

using namespace heddle;

// --- functions that are hooked only for this ----------------------------------------------------------------------

HEDDLE_REAL(int, vfprintf, FILE*, const char*, va_list);
HEDDLE_REAL(int, __vfprintf_chk, FILE*, int, const char*, va_list);

#define HEDDLE_PRINT(stream, last, print)     \
  libc::before_output(stream, HEDDLE_CALLER); \
  va_list arguments;                          \
  va_start(arguments, last);                  \
  int result = print;                         \
  va_end(arguments);                          \
  return result

HEDDLE_DEFINE(int, printf, const char* format, ...) {
  HEDDLE_PRINT(stdout, format, real_vfprintf(stdout, format, arguments));
}
HEDDLE_DEFINE(int, fprintf, FILE* stream, const char* format, ...) {
  HEDDLE_PRINT(stream, format, real_vfprintf(stream, format, arguments));
}
HEDDLE_DEFINE(int, __printf_chk, int flag, const char* format, ...) {
  HEDDLE_PRINT(stdout, format, real___vfprintf_chk(stdout, flag, format, arguments));
}
HEDDLE_DEFINE(int, __fprintf_chk, FILE* stream, int flag, const char* format, ...) {
  HEDDLE_PRINT(stream, format, real___vfprintf_chk(stream, flag, format, arguments));
}
HEDDLE_DEFINE(int, vfprintf, FILE* stream, const char* format, va_list arguments) {
  libc::before_output(stream, HEDDLE_CALLER);
  return real_vfprintf(stream, format, arguments);
}
HEDDLE_DEFINE(int, vprintf, const char* format, va_list arguments) {
  libc::before_output(stdout, HEDDLE_CALLER);
  return real_vfprintf(stdout, format, arguments);
}

#define HEDDLE_PUT(name)                                     \
  HEDDLE_INTERPOSE(int, name, int character, FILE* stream) { \
    libc::before_output(stream, HEDDLE_CALLER);              \
    return real_##name(character, stream);                   \
  }
HEDDLE_PUT(fputc)
HEDDLE_PUT(putc)
HEDDLE_PUT(_IO_putc)
HEDDLE_INTERPOSE(int, putchar, int character) {
  libc::before_output(stdout, HEDDLE_CALLER);
  return real_putchar(character);
}

#define HEDDLE_GET(name)                       \
  HEDDLE_INTERPOSE(int, name, FILE* stream) {  \
    libc::before_input(stream, HEDDLE_CALLER); \
    return real_##name(stream);                \
  }
HEDDLE_GET(fgetc)
HEDDLE_GET(getc)
HEDDLE_GET(_IO_getc)
HEDDLE_INTERPOSE(int, getchar) {
  libc::before_input(stdin, HEDDLE_CALLER);
  return real_getchar();
}
HEDDLE_INTERPOSE(int, fflush, FILE* stream) {
  if (stream) libc::before_output(stream, HEDDLE_CALLER);
  return real_fflush(stream);
}
HEDDLE_INTERPOSE(int, fclose, FILE* stream) {
  libc::before_output(stream, HEDDLE_CALLER);
  if (control::active()) control::forget(address_of(stream));
  return real_fclose(stream);
}
