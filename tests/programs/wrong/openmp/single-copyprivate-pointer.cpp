// copyprivate hands every thread a copy of the pointer, not of the buffer: all of them write the one buffer.
// expect: race
// workers: 2 8

#include <cstdlib>

int main()
{
#pragma omp parallel
    {
        int *buffer;
#pragma omp single copyprivate(buffer)
        buffer = static_cast<int *>(std::calloc(4, sizeof(int)));
        buffer[0] += 1;  // race: A
#pragma omp barrier
#pragma omp single
        std::free(buffer);
    }
    return 0;
}
