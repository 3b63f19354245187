// One task writes before its locked section, the other one after: only if the sections come in this order do they
// order the writes.
// expect: predicted
// workers: 1 2 8

#include <omp.h>

omp_lock_t lock;
int x, sections;

int main()
{
    omp_init_lock(&lock);
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
            x = 1;  // race: A
            omp_set_lock(&lock);
            sections++;
            omp_unset_lock(&lock);
        }
#pragma omp task
        {
            omp_set_lock(&lock);
            sections += 2;
            omp_unset_lock(&lock);
            x = 2;  // race: A
        }
    }
    omp_destroy_lock(&lock);
    return 0;
}
