// The creator reads the result of its child without waiting for it.
// expect: race
// workers: 1 2 8

static void use(int value) { asm volatile("" : : "r"(value)); }

int main()
{
#pragma omp parallel
#pragma omp single
    {
        int result = 0;
#pragma omp task shared(result)
        result = 42;  // race: A
        use(result);  // race: A
#pragma omp taskwait
    }
    return 0;
}
