// taskwait with a dependence waits for the tasks of that object only.
// expect: race
// workers: 1 2 8

int x, y;

static void use(int value) { asm volatile("" : : "r"(value)); }

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : x)
        x = 1;
#pragma omp task depend(out : y)
        y = 2;  // race: A
#pragma omp taskwait depend(in : x)
        use(x);
        use(y);  // race: A
    }
    return 0;
}
