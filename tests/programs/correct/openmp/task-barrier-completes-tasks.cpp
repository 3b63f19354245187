// A barrier also completes the tasks created before it: afterwards every thread may read what they wrote.
// expect: clean
// workers: 1 2 8

#include <omp.h>

int made[64], seen[64];

int main()
{
#pragma omp parallel
    {
        int me = omp_get_thread_num();
#pragma omp task firstprivate(me)
        made[me] = me + 1;
#pragma omp barrier
        seen[me] = made[(me + 1) % omp_get_num_threads()];
    }
    return seen[0] == 0;
}
