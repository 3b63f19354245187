// Siblings that one thread runs in turn get the same memory from alloca. Each passes it to children, which may run on
// other threads, and waits for them. They also call a function that needs less, and one that needs more.
// expect: clean
// workers: 1 2 8

#include <alloca.h>

volatile int size = 3000;
long total;

__attribute__((noinline)) static long with_children(int number, int bytes)
{
    char* memory = static_cast<char*>(alloca(static_cast<unsigned>(bytes)));
    // The function itself does not touch it before its children.
#pragma omp task firstprivate(memory)
    for (int i = 0; i < bytes / 2; i++)
        memory[i] = static_cast<char>(number);
#pragma omp task firstprivate(memory)
    for (int i = bytes / 2; i < bytes; i++)
        memory[i] = 1;
#pragma omp taskwait
    return memory[0] + memory[bytes - 1];
}

int main()
{
    long expected = 0;
    for (int i = 0; i < 48; i++)
        expected += 3 * (i + 1);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 48; i++) {
#pragma omp task
        {
            long sum = with_children(i, size);
            sum += with_children(i, size / 10);
            sum += with_children(i, size * 4);
#pragma omp atomic
            total += sum;
        }
    }
    return total != expected;
}
