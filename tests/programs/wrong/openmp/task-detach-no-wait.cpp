// A detached task is complete when its event is fulfilled; the creator waits for neither.
// expect: race
// workers: 1 2 8
// compilers: clang
// serial: yes

#include <omp.h>

int x;

static void use(int value) { asm volatile("" : : "r"(value)); }

int main()
{
#pragma omp parallel
#pragma omp single
    {
        omp_event_handle_t event;
#pragma omp task detach(event)
        x = 1;  // race: A
        omp_fulfill_event(event);
        use(x);  // race: A
#pragma omp taskwait
    }
    return 0;
}
