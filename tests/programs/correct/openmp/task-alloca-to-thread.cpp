// Tasks that one thread runs in turn pass what alloca gave them to threads of their own, and join these.
// expect: clean
// workers: 1 2 8
// flags: -pthread

#include <alloca.h>
#include <thread>

volatile int size = 2000;
long total;

__attribute__((noinline)) static int with_thread(int number)
{
    char* bytes = static_cast<char*>(alloca(static_cast<unsigned>(size)));
    std::thread other([bytes, number] {
        for (int i = 0; i < 2000; i++)
            bytes[i] = static_cast<char>(number);
    });
    other.join();
    return bytes[1000];
}

int main()
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 8; i++) {
#pragma omp task
        {
            int sum = with_thread(i);
#pragma omp atomic
            total += sum;
        }
    }
    return total != 28;
}
