// Tasks of a thread share its thread-local objects, one after the other: through their member functions, and with the
// memory they hold.
// expect: clean
// workers: 1 2 8

#include <vector>

struct Generator {
    unsigned state = 1;
    __attribute__((noinline)) unsigned next() { return state = state * 1664525u + 1013904223u; }
};

thread_local Generator generator;
thread_local std::vector<unsigned> scratch;
int calls;
#pragma omp threadprivate(calls)

int main()
{
    unsigned result[30] = {};
    int total = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 30; i++) {
#pragma omp task shared(result)
            {
                scratch.clear();
                for (int k = 0; k < 3; k++)
                    scratch.push_back(generator.next());
                result[i] = scratch.back();
                calls += 1;
            }
        }
#pragma omp atomic
        total += calls;
    }
    return total != 30 || !result[29];
}
