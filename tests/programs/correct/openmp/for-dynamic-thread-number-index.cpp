// Chunks count into the slot of the thread that runs them.
// expect: clean
// workers: 1 2 8

#include <omp.h>

int count[64];

int main()
{
#pragma omp parallel for schedule(dynamic, 1)
    for (int i = 0; i < 50; i++)
        count[omp_get_thread_num()]++;
    int total = 0;
    for (int value : count)
        total += value;
    return total != 50;
}
