// Two threads share a slot, because the index is half the thread number.
// expect: race
// workers: 2 8

#include <omp.h>

int slot[64];

int main()
{
#pragma omp parallel
    slot[omp_get_thread_num() / 2] += 1;  // race: A
    return 0;
}
