// Three tasks pass two locks on like a relay: in the lucky order the first write precedes the last.
// expect: predicted
// workers: 1 2 8

#include <omp.h>

omp_lock_t first, second;
int x;

static void pass(omp_lock_t *lock)
{
    omp_set_lock(lock);
    omp_unset_lock(lock);
}

int main()
{
    omp_init_lock(&first);
    omp_init_lock(&second);
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
            x = 1;  // race: A
            pass(&first);
        }
#pragma omp task
        {
            pass(&first);
            pass(&second);
        }
#pragma omp task
        {
            pass(&second);
            x = 2;  // race: A
        }
    }
    omp_destroy_lock(&first);
    omp_destroy_lock(&second);
    return 0;
}
