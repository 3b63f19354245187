// The number of the thread is asked for in one function, and used in others: as an index, as a branch, to find a
// buffer.
// expect: clean
// workers: 1 2 8

#include <cstdlib>
#include <omp.h>

int histogram[64][8], by_first;
int *buffers[64];

__attribute__((noinline)) int me() { return omp_get_thread_num(); }

__attribute__((noinline)) void count(int (*rows)[8], int row, int value) { rows[row][value % 8] += 1; }

int main()
{
#pragma omp parallel
    {
        buffers[me()] = static_cast<int *>(std::calloc(8, sizeof(int)));
#pragma omp barrier
#pragma omp single
        for (int i = 0; i < 30; i++) {
#pragma omp task
            {
                count(histogram, me(), i);
                int *mine = buffers[omp_get_thread_num()];
                mine[i % 8] += 1;
                if (omp_get_thread_num() == 0) by_first += 1;
            }
        }
    }
    int total = 0;
    for (auto &row : histogram)
        for (int value : row)
            total += value;
    for (int *buffer : buffers)
        std::free(buffer);
    return total != 30;
}
