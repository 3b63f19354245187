// A flush makes one thread's view consistent; without a flag that hands over it orders nothing.
// expect: race
// workers: 1 2 8

#include <omp.h>

int data;

static void use(int value) { asm volatile("" : : "r"(value)); }

int main()
{
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            data = 42;  // race: A
#pragma omp flush
        } else {
#pragma omp flush
            use(data);  // race: A
        }
    }
    return 0;
}
