// The flag is atomic but relaxed: it tells that the data were written, without making the write visible.
// expect: race
// workers: 1 2 8

#include <omp.h>
#include <sched.h>

int data, flag;

static void use(int value) { asm volatile("" : : "r"(value)); }

int main()
{
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            data = 42;  // race: A
#pragma omp atomic write
            flag = 1;
        } else {
            int seen = 0;
            while (!seen) {
                sched_yield();
#pragma omp atomic read
                seen = flag;
            }
            use(data);  // race: A
        }
    }
    return 0;
}
