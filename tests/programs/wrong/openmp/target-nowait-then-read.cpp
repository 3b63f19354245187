// The target region is a task of its own; the host reads before waiting for it.
// expect: race
// workers: 1 2 8
// compilers: clang
// serial: yes

int x;

static void use(int value) { asm volatile("" : : "r"(value)); }

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp target nowait map(tofrom : x)
        x = 1;  // race: A
        use(x);  // race: A
#pragma omp taskwait
    }
    return 0;
}
