// One thread allocates the block, and all chunks add to its first element. Chunks that the allocating thread runs
// may, for all that can be seen, use a block of its own; but nothing is kept silent about them.
// expect: predicted
// workers: 2 8
// history: none

#include <cstdlib>

int main()
{
    int *sums = nullptr;
#pragma omp parallel
    {
#pragma omp single
        sums = static_cast<int *>(std::calloc(4, sizeof(int)));
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 64; i++) {
            sums[0] += i;  // race: A
            asm volatile("" : : : "memory");
        }
    }
    const bool wrong = sums[0] < 1;
    std::free(sums);
    return wrong;
}
