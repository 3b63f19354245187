// nowait drops the barrier between the loops, and the second loop reads the array from the other end.
// expect: race
// workers: 2 8

enum { N = 64 };
int a[N], b[N];

int main(void)
{
#pragma omp parallel
    {
#pragma omp for schedule(static) nowait
        for (int i = 0; i < N; i++)
            a[i] = i;  // race: A
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
            b[i] = a[N - 1 - i];  // race: A
    }
    return 0;
}
