// omp_test_lock in a loop protects like omp_set_lock once it has succeeded.
// expect: clean
// workers: 1 2 8

#include <omp.h>
#include <sched.h>

omp_lock_t lock;
int counter;

int main()
{
    omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
    {
        for (int i = 0; i < 10; i++) {
            while (!omp_test_lock(&lock))
                sched_yield();
            counter++;
            omp_unset_lock(&lock);
        }
    }
    omp_destroy_lock(&lock);
    return counter != 20;
}
