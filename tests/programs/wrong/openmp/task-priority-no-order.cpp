// A higher priority is a hint to the scheduler, not an order.
// expect: race
// workers: 1 2 8

int x;

static void use(int value) { asm volatile("" : : "r"(value)); }

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task priority(10)
        x = 1;  // race: A
#pragma omp task priority(0)
        use(x);  // race: A
    }
    return 0;
}
