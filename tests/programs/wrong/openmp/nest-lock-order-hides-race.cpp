// Two chunks of a dynamic loop: the first writes before the nest lock, the second after it.
// expect: predicted
// workers: 2 8

#include <omp.h>

omp_nest_lock_t lock;
int x, depth;

static void enter()
{
    omp_set_nest_lock(&lock);
    omp_set_nest_lock(&lock);
    depth++;
    omp_unset_nest_lock(&lock);
    omp_unset_nest_lock(&lock);
}

int main()
{
    omp_init_nest_lock(&lock);
#pragma omp parallel for schedule(dynamic, 1)
    for (int i = 0; i < 2; i++) {
        if (i == 0) {
            x = 1;  // race: A
            enter();
        } else {
            enter();
            x = 2;  // race: A
        }
    }
    omp_destroy_nest_lock(&lock);
    return 0;
}
