// A task gets what alloca gave its creator, below the frame as it was when the function was entered, and the creator
// writes there before it has waited. Another task that runs meanwhile, on top of the creator's stack, changes nothing.
// expect: race
// workers: 1 2 8

#include <alloca.h>

volatile int size = 2000;

int main()
{
    int sum = 0;
#pragma omp parallel
#pragma omp single
    {
        char* bytes = static_cast<char*>(alloca(static_cast<unsigned>(size)));
        char* more = static_cast<char*>(alloca(static_cast<unsigned>(size)));
#pragma omp task firstprivate(bytes)
        bytes[5] = 1;   // race: A
        bytes[5] = 3;   // race: A
        more[1000] = 1;
#pragma omp taskwait
        for (int i = 0; i < 4; i++) {
#pragma omp task firstprivate(more)
            more[1000] = 2;  // race: B
        }
#pragma omp taskwait
        sum = bytes[5] + more[1000];
    }
    return sum == 0;
}
