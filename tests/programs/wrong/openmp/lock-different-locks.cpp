// Each task takes a lock, but not the same one.
// expect: race
// workers: 1 2 8

#include <omp.h>

omp_lock_t left, right;
int x;

int main()
{
    omp_init_lock(&left);
    omp_init_lock(&right);
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
            omp_set_lock(&left);
            x = 1;  // race: A
            omp_unset_lock(&left);
        }
#pragma omp task
        {
            omp_set_lock(&right);
            x = 2;  // race: A
            omp_unset_lock(&right);
        }
    }
    omp_destroy_lock(&left);
    omp_destroy_lock(&right);
    return 0;
}
