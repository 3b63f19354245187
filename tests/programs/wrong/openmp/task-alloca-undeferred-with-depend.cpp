// An undeferred task with a clause runs on top of its creator's frames, which clang's code calls itself; what alloca
// gave the creator is shared with a deferred task.
// expect: race
// workers: 1 2 8

#include <alloca.h>

volatile int size = 100;

int main()
{
    int last = 0;
#pragma omp parallel
#pragma omp single
    {
        int one = 0, other = 0;
        char* bytes = static_cast<char*>(alloca(static_cast<unsigned>(size)));
#pragma omp task depend(out : one) firstprivate(bytes)
        bytes[5] = 1;  // race: A
#pragma omp task if (0) depend(out : other) firstprivate(bytes)
        bytes[5] = 2;  // race: A
#pragma omp taskwait
        last = bytes[5];
    }
    return last == 0;
}
