// Atomic sums of floating-point numbers release what the reader of the sum acquires.
// expect: clean
// workers: 2 8
// flags: -latomic

#include <omp.h>

int first, second;
double sum;
long double wide;

int main()
{
    int wrong = 0;
#pragma omp parallel
    {
        if (omp_get_thread_num() == 0) {
            first = 1;
#pragma omp atomic update release
            sum += 1;
            second = 2;
#pragma omp atomic update release
            wide += 1;
        }
        if (omp_get_thread_num() == 1) {
            double seen = 0;
            while (seen == 0) {
#pragma omp atomic read acquire
                seen = sum;
            }
            wrong += first != 1;
            long double seen_wide = 0;
            while (seen_wide == 0) {
#pragma omp atomic read acquire
                seen_wide = wide;
            }
            wrong += second != 2;
        }
    }
    return wrong;
}
