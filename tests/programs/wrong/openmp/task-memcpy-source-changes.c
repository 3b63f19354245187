// One task copies from a range into which the other one writes the last byte.
// expect: race
// workers: 1 2 8

#include <string.h>

char source[64], target[64];
size_t length = 33;

int main(void)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        memcpy(target, source, length);  // race: A
#pragma omp task
        source[32] = 1;  // race: A
    }
    return 0;
}
