// Dynamic chunks write disjoint elements; the implicit barrier comes before the mirrored read.
// expect: clean
// workers: 1 2 8

enum { N = 48 };
int a[N], b[N];

int main(void)
{
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 1)
        for (int i = 0; i < N; i++)
            a[i] = i;
#pragma omp for schedule(dynamic, 2)
        for (int i = 0; i < N; i++)
            b[i] = a[N - 1 - i];
    }
    return b[0] != N - 1;
}
