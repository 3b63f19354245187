// Each task allocates, writes and frees a block: the allocator gives the same address to unordered tasks.
// expect: clean
// workers: 1 2 8

#include <stdlib.h>
#include <string.h>

size_t length = 48;

int main(void)
{
    int bytes = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 20; i++) {
#pragma omp task shared(bytes)
        {
            char *block = malloc(length);
            memset(block, i, length);
            char *copy = realloc(block, 2 * length);
#pragma omp atomic
            bytes += copy[length - 1] == i;
            free(copy);
        }
    }
    return bytes != 20;
}
