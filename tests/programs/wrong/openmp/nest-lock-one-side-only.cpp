// One task holds the nest lock twice over while it writes; the other task does not take it at all.
// expect: race
// workers: 1 2 8

#include <omp.h>

omp_nest_lock_t lock;
int x;

int main()
{
    omp_init_nest_lock(&lock);
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
            omp_set_nest_lock(&lock);
            omp_set_nest_lock(&lock);
            x = 1;  // race: A
            omp_unset_nest_lock(&lock);
            omp_unset_nest_lock(&lock);
        }
#pragma omp task
        x = 2;  // race: A
    }
    omp_destroy_nest_lock(&lock);
    return 0;
}
