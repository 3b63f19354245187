// The event is fulfilled before the second half is written: whoever depends on the task may read too early.
// expect: race
// workers: 1 2 8
// compilers: clang
// serial: yes

#include <omp.h>

int first, second, sum;

int main()
{
#pragma omp parallel
#pragma omp single
    {
        omp_event_handle_t event;
#pragma omp task detach(event) depend(out : first)
        first = 1;
#pragma omp task firstprivate(event)
        {
            omp_fulfill_event(event);
            second = 2;  // race: A
        }
#pragma omp task depend(in : first)
        sum = first + second;  // race: A
    }
    return 0;
}
