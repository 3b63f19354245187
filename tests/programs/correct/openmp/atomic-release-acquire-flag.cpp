// The writer releases the flag, the reader acquires it: the data before it are handed over.
// expect: clean
// workers: 1 2 8

#include <omp.h>
#include <sched.h>

int data, flag, received;

int main()
{
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            data = 42;
#pragma omp atomic write release
            flag = 1;
        } else {
            int seen = 0;
            while (!seen) {
                sched_yield();
#pragma omp atomic read acquire
                seen = flag;
            }
            received = data;
        }
    }
    return received != 42;
}
