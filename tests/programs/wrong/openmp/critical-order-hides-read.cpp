// The reader passes through the critical region before it reads, the writer after it has written: luck may order them.
// expect: predicted
// workers: 1 2 8

#include <omp.h>

int x, arrivals;

static void use(int value) { asm volatile("" : : "r"(value)); }

int main()
{
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            x = 1;  // race: A
#pragma omp critical
            arrivals++;
        } else {
#pragma omp critical
            arrivals += 2;
            use(x);  // race: A
        }
    }
    return 0;
}
