// The thread with the last iteration copies its value out; the loop's barrier comes before the reads.
// expect: clean
// workers: 1 2 8

#include <omp.h>

int seen[64];

int main()
{
    int last = -1;
#pragma omp parallel
    {
#pragma omp for schedule(monotonic : dynamic, 3) lastprivate(last)
        for (int i = 0; i < 31; i++)
            last = i;
        seen[omp_get_thread_num()] = last;
    }
    return last != 30 || seen[0] != 30;
}
