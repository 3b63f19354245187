// Two tasks clear ranges of one heap block that overlap by eight bytes.
// expect: race
// workers: 1 2 8

#include <stdlib.h>
#include <string.h>

size_t length = 24;

int main(void)
{
    char *block = malloc(40);
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        memset(block, 1, length);  // race: A
#pragma omp task
        memset(block + 16, 2, length);  // race: A
    }
    free(block);
    return 0;
}
