// A nest lock may be taken again by its owner; it protects until the outermost release.
// expect: clean
// workers: 1 2 8

#include <omp.h>

omp_nest_lock_t lock;
int depth_sum;

static void add(int depth)
{
    omp_set_nest_lock(&lock);
    depth_sum += depth;
    if (depth > 0)
        add(depth - 1);
    depth_sum += 1;
    omp_unset_nest_lock(&lock);
}

int main()
{
    omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(2)
    {
        add(3);
        if (omp_test_nest_lock(&lock)) {
            depth_sum += 0;
            omp_unset_nest_lock(&lock);
        }
    }
    omp_destroy_nest_lock(&lock);
    return depth_sum != 20;
}
