// A histogram with a lock for each bucket.
// expect: clean
// workers: 1 2 8

#include <omp.h>

omp_lock_t lock[4];
int bucket[4];

int main()
{
    for (omp_lock_t &l : lock)
        omp_init_lock(&l);
#pragma omp parallel for schedule(dynamic, 1)
    for (int i = 0; i < 40; i++) {
        int b = i * 7 % 4;
        omp_set_lock(&lock[b]);
        bucket[b]++;
        omp_unset_lock(&lock[b]);
    }
    for (omp_lock_t &l : lock)
        omp_destroy_lock(&l);
    return bucket[0] != 10;
}
