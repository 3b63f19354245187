// A relaxed flag with a flush on either side hands over like release and acquire.
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
#pragma omp flush
#pragma omp atomic write
            flag = 1;
        } else {
            int seen = 0;
            while (!seen) {
                sched_yield();
#pragma omp atomic read
                seen = flag;
            }
#pragma omp flush
            received = data;
        }
    }
    return received != 42;
}
