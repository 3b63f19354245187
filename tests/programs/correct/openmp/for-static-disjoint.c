// Each iteration has its own element, and the loop's barrier orders the read of the whole array.
// expect: clean
// workers: 1 2 8

enum { N = 100 };
int a[N], b[N];

int main(void)
{
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
            a[i] = i;
#pragma omp for schedule(static, 3)
        for (int i = 0; i < N; i++)
            b[i] = a[N - 1 - i];
    }
    return b[0] != N - 1;
}
