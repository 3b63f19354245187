// What alloca gives lies below the frame as it was when the function was entered, and is shared all the same; clang
// calls the body of a region with one thread itself.
// expect: race
// workers: 1 2 8

#include <alloca.h>

volatile int count = 1;

int main()
{
    int *sums = static_cast<int *>(alloca(static_cast<unsigned>(count) * 4 * sizeof(int)));
    sums[0] = 0;
#pragma omp parallel if (count > 5)
    {
#pragma omp single nowait
        sums[0] += 1;  // race: A
#pragma omp single nowait
        sums[0] += 2;  // race: A
    }
    return sums[0] != 3;
}
