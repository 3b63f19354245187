// Each thread fills its own slot and reads its neighbour's, without a barrier in between.
// expect: race
// workers: 2 8

#include <omp.h>

int slot[64];

static void use(int value) { asm volatile("" : : "r"(value)); }

int main()
{
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        int next = (me + 1) % omp_get_num_threads();
        slot[me] = me;    // race: A
        use(slot[next]);  // race: A
    }
    return 0;
}
