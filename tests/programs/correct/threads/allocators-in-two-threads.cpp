// calloc, realloc, aligned_alloc, posix_memalign, new and aligned new: blocks come and go in both threads.
// expect: clean

#include <pthread.h>

#include <cstdlib>

struct alignas(64) Line {
  int value[16];
};

static void* churn(void* failed) {
  int sum = 0;
  for (int i = 1; i <= 10; i++) {
    int* grown = static_cast<int*>(std::calloc(4, sizeof(int)));
    grown[3] = i;
    grown = static_cast<int*>(std::realloc(grown, 400 * sizeof(int)));
    grown[399] = grown[3];
    int* aligned = static_cast<int*>(std::aligned_alloc(64, 128));
    aligned[31] = grown[399];
    std::free(grown);
    void* page = nullptr;
    if (posix_memalign(&page, 256, 512) != 0) return failed;
    static_cast<int*>(page)[127] = aligned[31];
    std::free(aligned);
    Line* line = new Line();
    line->value[15] = static_cast<int*>(page)[127];
    std::free(page);
    sum += line->value[15];
    delete line;
  }
  return sum == 55 ? nullptr : failed;
}

int main() {
  pthread_t one, two;
  void *first, *second;
  int failed;
  pthread_create(&one, nullptr, churn, &failed);
  pthread_create(&two, nullptr, churn, &failed);
  pthread_join(one, &first);
  pthread_join(two, &second);
  return first || second;
}
