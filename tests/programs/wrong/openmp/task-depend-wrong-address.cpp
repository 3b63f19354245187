// The reader depends on the first element but reads the second, which another task writes.
// expect: race
// workers: 1 2 8

int a[2];

static void use(int value) { asm volatile("" : : "r"(value)); }

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : a[0])
        a[0] = 1;
#pragma omp task depend(out : a[1])
        a[1] = 2;  // race: A
#pragma omp task depend(in : a[0])
        use(a[1]);  // race: A
    }
    return 0;
}
