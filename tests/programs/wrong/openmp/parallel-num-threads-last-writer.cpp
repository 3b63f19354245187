// The team has two threads whatever the environment says, and both write their number to one variable.
// expect: race
// workers: 1 2 8

#include <omp.h>

int last_thread = -1;

int main()
{
#pragma omp parallel num_threads(2)
    {
        last_thread = omp_get_thread_num();  // race: A
    }
    return 0;
}
