// The end of a parallel region joins the team: the next region, with another thread layout, sees everything.
// expect: clean
// workers: 1 2 8

#include <omp.h>

int slot[64];
int total;

int main()
{
#pragma omp parallel
    slot[omp_get_thread_num()] = 1;
    for (int value : slot)
        total += value;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1)
            slot[0] = total;
    }
    return slot[0] != total;
}
