// qsort moves elements, so it writes the whole array. (bsearch needs no hook: only the comparison reads
// elements, and that is the program's own code.)
#include <cstdlib>
#include "frontend/range_call.hpp"

HEDDLE_INTERPOSE(void, qsort, void* base, size_t count, size_t size,
                 int (*compare)(const void*, const void*)) {
  HEDDLE_RANGE_CALL(call);
  call.writes(base, count * size);
  real_qsort(base, count, size, compare);
}
HEDDLE_INTERPOSE(void, qsort_r, void* base, size_t count, size_t size,
                 int (*compare)(const void*, const void*, void*), void* data) {
  HEDDLE_RANGE_CALL(call);
  call.writes(base, count * size);
  real_qsort_r(base, count, size, compare, data);
}
