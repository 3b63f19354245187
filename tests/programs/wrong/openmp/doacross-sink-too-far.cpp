// Iteration i waits for i - 2 but reads what i - 1 writes.
// expect: race
// workers: 1 2 8

int a[18];

__attribute__((noinline)) static void step(int i)
{
    a[i] = a[i - 1] + 1;  // race: A
}

int main()
{
#pragma omp parallel for num_threads(2) ordered(1) schedule(dynamic, 1)
    for (int i = 2; i < 18; i++) {
#pragma omp ordered depend(sink : i - 2)
        step(i);
#pragma omp ordered depend(source)
    }
    return 0;
}
