// The children of a final task are included: they run at once, one after the other.
// expect: clean
// workers: 1 2 8

#include <omp.h>

int sum, final_seen;

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task final(1)
        {
#pragma omp task
            sum += 1;
            sum += 2;
#pragma omp task
            sum += 3;
            final_seen = omp_in_final() && sum == 6;
        }
#pragma omp taskwait
        sum += 4;
    }
    return sum != 10 || !final_seen;
}
