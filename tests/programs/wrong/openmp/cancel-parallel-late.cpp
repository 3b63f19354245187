// Cancelling ends the region early, but each thread has written before it reaches the cancellation.
// expect: race
// workers: 1 2 8
// env: OMP_CANCELLATION=true

#include <omp.h>

int last;

int main()
{
#pragma omp parallel num_threads(2)
    {
        last = omp_get_thread_num();  // race: A
#pragma omp cancel parallel
    }
    return 0;
}
