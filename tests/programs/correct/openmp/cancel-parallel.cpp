// One thread cancels the region after ten steps of its own; the others work until they notice at a cancellation point.
// expect: clean
// workers: 1 2 8
// env: OMP_CANCELLATION=true

#include <omp.h>
#include <sched.h>

int steps[64];

int main()
{
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        for (;;) {
            steps[me]++;
            if (me == 0 && steps[me] == 10) {
#pragma omp cancel parallel
            }
#pragma omp cancellation point parallel
            sched_yield();
        }
    }
    return steps[0] != 10;
}
