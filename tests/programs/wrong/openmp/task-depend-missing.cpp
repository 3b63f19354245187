// The reader names no dependence, so the writer's one orders nothing.
// expect: race
// workers: 1 2 8

int x;

static void use(int value) { asm volatile("" : : "r"(value)); }

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : x)
        x = 1;  // race: A
#pragma omp task
        use(x);  // race: A
    }
    return 0;
}
