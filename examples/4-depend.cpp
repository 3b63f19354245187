// A pipeline of tasks ordered by depend clauses: produce, then transform, then print. The transformer says that it
// reads `raw`, but forgets that it writes `cooked`, so nothing makes the printer wait for it. (With -DFIXED it says
// so.)
#include <cstdio>

static int raw, cooked;

#ifdef FIXED
#define OUTPUT depend(out : cooked)
#else
#define OUTPUT
#endif

int main() {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : raw)
    raw = 20;
#pragma omp task depend(in : raw) OUTPUT
    cooked = raw + 1;
#pragma omp task depend(in : cooked)
    std::printf("%d\n", cooked);
  }
}
