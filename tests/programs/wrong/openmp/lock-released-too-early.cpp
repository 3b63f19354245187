// The lock is taken and given back before the access, in both tasks: no order of the two sections protects x.
// expect: race
// workers: 1 2 8

#include <omp.h>

omp_lock_t lock;
int x;

int main()
{
    omp_init_lock(&lock);
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
            omp_set_lock(&lock);
            omp_unset_lock(&lock);
            x = 1;  // race: A
        }
#pragma omp task
        {
            omp_set_lock(&lock);
            omp_unset_lock(&lock);
            x = 2;  // race: A
        }
    }
    omp_destroy_lock(&lock);
    return 0;
}
