// Same index in both loops, but with a dynamic schedule nothing says that the same thread gets it twice.
// expect: race
// workers: 1 2 8

enum { N = 32 };
int a[N], b[N];

int main(void)
{
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 1) nowait
        for (int i = 0; i < N; i++)
            a[i] = i;  // race: A
#pragma omp for schedule(dynamic, 1)
        for (int i = 0; i < N; i++)
            b[i] = a[i];  // race: A
    }
    return 0;
}
