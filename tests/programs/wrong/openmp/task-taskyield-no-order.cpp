// taskyield may run the child, or not: it is no taskwait.
// expect: race
// workers: 1 2 8

int x;

static void use(int value) { asm volatile("" : : "r"(value)); }

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        x = 1;  // race: A
#pragma omp taskyield
        use(x);  // race: A
    }
    return 0;
}
