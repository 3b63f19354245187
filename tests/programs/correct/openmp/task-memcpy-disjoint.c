// Two tasks copy from one source into ranges that touch but do not overlap, and a third clears what lies between.
// expect: clean
// workers: 1 2 8

#include <string.h>

char source[32], target[64];
size_t length = 21;

int main(void)
{
    source[20] = 7;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        memcpy(target, source, length);
#pragma omp task
        memcpy(target + 2 * length, source, length);
#pragma omp task
        memset(target + length, 1, length);
    }
    return target[20] + target[21] + target[41] + target[62] != 16;
}
