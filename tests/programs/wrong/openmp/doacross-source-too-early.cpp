// The iteration posts its completion before it has written the element that the next one reads.
// expect: race
// workers: 1 2 8

int a[17];

__attribute__((noinline)) static void step(int i)
{
    a[i] = a[i - 1] + 1;  // race: A
}

int main()
{
#pragma omp parallel for num_threads(2) ordered(1) schedule(dynamic, 1)
    for (int i = 1; i < 17; i++) {
#pragma omp ordered depend(sink : i - 1)
#pragma omp ordered depend(source)
        step(i);
    }
    return 0;
}
