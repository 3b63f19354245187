// Recursive Fibonacci whose partial result is a global instead of a local: all calls share it.
// expect: race
// workers: 1 2 8

int partial;

static void fib(int n)
{
    if (n < 2) {
        partial += n;  // race: A
        return;
    }
#pragma omp task
    fib(n - 1);
#pragma omp task
    fib(n - 2);
#pragma omp taskwait
}

int main()
{
#pragma omp parallel
#pragma omp single
    fib(6);
    return 0;
}
