// A function that a task calls allocates on the stack, and waits for its own child. While it waits, other tasks run on
// top of its frames: they are in use nevertheless, and child and function race there.
// expect: race
// workers: 1 2 8

#include <alloca.h>

volatile int count = 16;
long total;

__attribute__((noinline)) static int work(int number)
{
    int* values = static_cast<int*>(alloca(static_cast<unsigned>(count) * sizeof(int)));
    for (int i = 0; i < count; i++)
        values[i] = number;
#pragma omp task firstprivate(values)
    values[3] += 1;  // race: A
    values[3] += 2;  // race: A
#pragma omp taskwait
    return values[3];
}

int main()
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 8; i++) {
#pragma omp task
        {
            int sum = work(i);
#pragma omp atomic
            total += sum;
        }
    }
    return total == 0;
}
