// Two tasks that nothing orders write one variable; in between, tens of thousands of others come, end, and are
// forgotten.
// expect: race

#include <omp.h>

namespace {

int value;
int slots[64];

void one_more(int i) {
#pragma omp task firstprivate(i)
  {
    int below = 0;
#pragma omp task shared(below)
    below = i;
#pragma omp taskwait
    slots[i % 64] += below;
  }
#pragma omp taskwait
}

}  // namespace

int main() {
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    {
#pragma omp task
      {
#pragma omp task
        value = 1;  // race: A
      }
#pragma omp task
      for (int i = 0; i < 10000; ++i) one_more(i);
#pragma omp task
      {
        for (int i = 0; i < 10000; ++i) {
#pragma omp task
          {
          }
#pragma omp taskwait
        }
        value = 2;  // race: A
      }
    }
  }
  return value == 1 || value == 2 ? 0 : 1;
}
