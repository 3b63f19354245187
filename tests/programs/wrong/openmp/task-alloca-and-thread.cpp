// A thread writes into what alloca gave its creator. In between the creator runs a region with tasks on top of its
// frames. The flag is relaxed, and orders nothing.
// expect: race
// workers: 1 2 8
// flags: -pthread

#include <alloca.h>
#include <atomic>
#include <thread>

volatile int size = 500;
std::atomic<bool> go;
int done;

int main()
{
    char* bytes = static_cast<char*>(alloca(static_cast<unsigned>(size)));
    std::thread other([bytes] {
        while (!go.load(std::memory_order_relaxed)) std::this_thread::yield();
        bytes[5] = 1;  // race: A
    });
    bytes[5] = 2;  // race: A
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        done = 1;
    }
    go.store(true, std::memory_order_relaxed);
    other.join();
    return bytes[5] == 0;
}
