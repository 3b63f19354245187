// Each inner team sums into a row chosen by the *inner* thread number: the inner teams of two outer threads meet in it.
// expect: race
// workers: 1 2 8

#include <omp.h>

long row[2];

int main()
{
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel num_threads(2)
        {
            row[omp_get_thread_num()] += 1;  // race: A
        }
    }
    return 0;
}
