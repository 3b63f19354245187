// Tasks count into the slot of the thread that runs them, after asking which one that is.
// expect: clean
// workers: 1 2 8

#include <omp.h>

int count[64];

int main()
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 30; i++) {
#pragma omp task
        {
            int me = omp_get_thread_num();
            count[me] += 1;
        }
    }
    int total = 0;
    for (int value : count)
        total += value;
    return total != 30;
}
