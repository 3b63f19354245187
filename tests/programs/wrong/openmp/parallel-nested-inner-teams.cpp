// The inner team of one outer thread reads what the other outer thread writes: the inner join does not reach across.
// expect: race
// workers: 1 2 8

#include <omp.h>

int x;

static void use(int value) { asm volatile("" : : "r"(value)); }

int main()
{
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp parallel num_threads(2)
            use(x);  // race: A
        } else {
            x = 1;  // race: A
        }
    }
    return 0;
}
