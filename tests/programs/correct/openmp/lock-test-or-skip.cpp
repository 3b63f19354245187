// Who does not get the lock leaves the counter alone: what is counted depends on luck, but it is never a race.
// expect: clean
// workers: 1 2 8

#include <omp.h>

omp_lock_t lock;
int counter;

int main()
{
    omp_init_lock(&lock);
#pragma omp parallel for schedule(dynamic, 1)
    for (int i = 0; i < 20; i++) {
        if (omp_test_lock(&lock)) {
            counter++;
            omp_unset_lock(&lock);
        }
    }
    omp_destroy_lock(&lock);
    return counter < 1;
}
