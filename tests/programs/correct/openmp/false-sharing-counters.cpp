// The counters of all threads lie in one cache line: slow, but not a race.
// expect: clean
// workers: 1 2 8

#include <omp.h>

short counter[8];

int main()
{
#pragma omp parallel num_threads(4)
    {
        short *mine = &counter[omp_get_thread_num()];
        for (int i = 0; i < 100; i++)
            *mine = static_cast<short>(*mine + 1);
    }
    return counter[0] != 100;
}
