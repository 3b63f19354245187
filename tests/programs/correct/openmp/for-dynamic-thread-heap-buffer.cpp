// A buffer allocated once per thread serves all the chunks that thread gets: no other thread knows it.
// expect: clean
// workers: 1 2 8

#include <cstdlib>

int result[32];

int main()
{
#pragma omp parallel
    {
        int *buffer = static_cast<int *>(std::malloc(8 * sizeof(int)));
#pragma omp for schedule(dynamic, 1)
        for (int i = 0; i < 32; i++) {
            for (int k = 0; k < 8; k++)
                buffer[k] = i + k;
            result[i] = buffer[7];
        }
        std::free(buffer);
    }
    return result[31] != 38;
}
