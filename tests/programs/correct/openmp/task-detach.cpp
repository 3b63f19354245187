// The detached task completes when its sibling fulfils the event; taskwait waits for that, and so for both writes.
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
#pragma omp task detach(event)
        x = 1;
#pragma omp task firstprivate(event)
        {
            y = 2;
            omp_fulfill_event(event);
        }
#pragma omp taskwait
        seen = x + y;
    }
    return seen != 3;
}
