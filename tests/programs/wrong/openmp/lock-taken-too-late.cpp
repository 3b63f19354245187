// Both tasks write first and take the lock afterwards, for something else.
// expect: race
// workers: 1 2 8

#include <omp.h>

omp_lock_t lock;
int x, log_length;

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
            log_length++;
            omp_unset_lock(&lock);
        }
#pragma omp task
        {
            x = 2;  // race: A
            omp_set_lock(&lock);
            log_length += 2;
            omp_unset_lock(&lock);
        }
    }
    omp_destroy_lock(&lock);
    return 0;
}
