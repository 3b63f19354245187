// The barrier at the end of single comes before the reads of all threads.
// expect: clean
// workers: 1 2 8

#include <omp.h>

int table[4], seen[64];

int main()
{
#pragma omp parallel
    {
#pragma omp single
        table[2] = 7;
        seen[omp_get_thread_num()] = table[2];
    }
    return seen[0] != 7;
}
