// Recursive Fibonacci: each call waits for its two children before it adds their results.
// expect: clean
// workers: 1 2 8

static int fib(int n)
{
    if (n < 2)
        return n;
    int a, b;
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

int main()
{
    int result = 0;
#pragma omp parallel
#pragma omp single
    result = fib(9);
    return result != 34;
}
