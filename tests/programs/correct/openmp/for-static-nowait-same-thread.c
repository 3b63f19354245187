// Two static loops with the same bounds in one region give an index to the same thread: the barrier is not needed.
// expect: clean
// workers: 1 2 8

enum { N = 96 };
int a[N], b[N];

int main(void)
{
#pragma omp parallel
    {
#pragma omp for schedule(static) nowait
        for (int i = 0; i < N; i++)
            a[i] = i;
#pragma omp for schedule(static) nowait
        for (int i = 0; i < N; i++)
            b[i] = a[i] + 1;
    }
    return b[N - 1] != N;
}
