// The reader depends on the detached task, so it runs after the event: what was written before fulfilling is visible.
// expect: clean
// workers: 1 2 8
// compilers: clang
// serial: yes

#include <omp.h>

int x, y, seen;

int main()
{
#pragma omp parallel
#pragma omp single
    {
        omp_event_handle_t event;
#pragma omp task detach(event) depend(out : x)
        x = 1;
#pragma omp task depend(in : x)
        seen = x + y;
        y = 2;
        omp_fulfill_event(event);
    }
    return seen != 3;
}
