// Each task has a slot of its thread, by the thread's number, and that says nothing about the counter beside it.
// expect: race
// workers: 1 2 8

#include <cstdio>
#include <omp.h>

int slots[64], counter;

int main()
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 4; i++) {
#pragma omp task
        {
            const int me = omp_get_thread_num();
            slots[me] = 1;
            counter++;  // race: A
            std::fprintf(stderr, "task %d ran on thread %d\n", i, me);
        }
    }
    return counter < 1;
}
