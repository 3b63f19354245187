// Places and affinity. Only one thread runs at a time, so threads are not bound to processors: there are no places.
#include "base/system_call.hpp"
#include "control/openmp/core.hpp"

namespace heddle::gomp {
namespace {

usize copy_text(char* buffer, usize size, const char* text) {
  usize length = 0;
  for (; text[length]; ++length)
    if (size && length < size - 1) buffer[length] = text[length];
  if (size) buffer[length < size - 1 ? length : size - 1] = 0;
  return length;
}

// The thread number is the only property of a thread.
usize describe(char* buffer, usize size) {
  char text[64];
  usize at = copy_text(text, sizeof(text), "thread ");
  char digits[12];
  int count = 0;
  u32 number = self().member->number;
  do {
    digits[count++] = static_cast<char>('0' + number % 10);
  } while (number /= 10);
  while (count) text[at++] = digits[--count];
  text[at] = 0;
  at += copy_text(text + at, sizeof(text) - at, ", not bound");
  return copy_text(buffer, size, text);
}

}  // namespace
}  // namespace heddle::gomp

using namespace heddle;
using namespace heddle::gomp;

HEDDLE_GOMP_ENTRY int omp_get_proc_bind() {
  self();
  return globals().proc_bind;
}
HEDDLE_GOMP_ENTRY int omp_get_num_places() { return 0; }
HEDDLE_GOMP_ENTRY int omp_get_place_num_procs(int) { return 0; }
HEDDLE_GOMP_ENTRY void omp_get_place_proc_ids(int, int*) {}
HEDDLE_GOMP_ENTRY int omp_get_place_num() { return -1; }
HEDDLE_GOMP_ENTRY int omp_get_partition_num_places() { return 0; }
HEDDLE_GOMP_ENTRY void omp_get_partition_place_nums(int*) {}

HEDDLE_GOMP_ENTRY void omp_set_affinity_format(const char* format) {
  self();
  copy_text(globals().affinity_format, sizeof(globals().affinity_format), format);
}
HEDDLE_GOMP_ENTRY usize omp_get_affinity_format(char* buffer, usize size) {
  self();
  return copy_text(buffer, size, globals().affinity_format);
}
HEDDLE_GOMP_ENTRY usize omp_capture_affinity(char* buffer, usize size, const char*) {
  return describe(buffer, size);
}
HEDDLE_GOMP_ENTRY void omp_display_affinity(const char*) {
  char line[80];
  usize length = describe(line, sizeof(line) - 1);
  line[length++] = '\n';
  constexpr long kStandardOutput = 1;
  system_call(SYS_write, kStandardOutput, reinterpret_cast<long>(line), static_cast<long>(length));
}
