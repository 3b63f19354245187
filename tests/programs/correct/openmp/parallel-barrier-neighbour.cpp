// Each thread fills its slot; after the barrier it may read its neighbour's.
// expect: clean
// workers: 1 2 8

#include <omp.h>

int slot[64], seen[64];

int main()
{
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        int next = (me + 1) % omp_get_num_threads();
        slot[me] = me + 1;
#pragma omp barrier
        seen[me] = slot[next];
    }
    return seen[0] == 0;
}
