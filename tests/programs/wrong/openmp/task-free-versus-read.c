// One task frees the block while its sibling reads it.
// expect: race
// workers: 1 2 8

#include <stdlib.h>

static void use(int value) { __asm__ volatile("" : : "r"(value)); }

int main(void)
{
    int *block = calloc(4, sizeof(int));
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        use(block[1]);  // race: A
#pragma omp task
        free(block);  // race: A
    }
    return 0;
}
