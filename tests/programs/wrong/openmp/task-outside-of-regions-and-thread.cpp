// A task outside of parallel regions may be put off until the thread runs that is started later.
// expect: race
// workers: 1 2 8
// flags: -pthread

#include <thread>

int x, y;

int main()
{
#pragma omp task shared(x)
    x = 1;  // race: A
    std::thread other([] {
        x = 2;  // race: A
        y = 1;  // race: B
    });
#pragma omp task shared(y)
    y = 2;  // race: B
    other.join();
#pragma omp taskwait
    return 0;
}
