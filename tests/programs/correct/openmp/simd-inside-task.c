// A simd loop is executed by one task in lanes, not by many threads.
// expect: clean
// workers: 1 2 8

enum { N = 64 };
float a[N], b[N];

int main(void)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
#pragma omp simd
            for (int i = 0; i < N; i++)
                a[i] = 2.0f * (float)i;
        }
#pragma omp taskwait
#pragma omp taskloop simd num_tasks(4)
        for (int i = 0; i < N; i++)
            b[i] = a[i] + 1.0f;
    }
    return b[10] != 21.0f;
}
