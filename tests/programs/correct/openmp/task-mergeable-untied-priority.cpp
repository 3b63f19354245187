// Hints on tasks change neither their data nor their order: each has its own element, and taskwait waits for all.
// expect: clean
// workers: 1 2 8

int a[5];

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task mergeable
        a[0] = 1;
#pragma omp task untied
        {
            a[1] = 2;
#pragma omp taskyield
            a[1] += 1;
        }
#pragma omp task priority(7)
        a[2] = 3;
#pragma omp task mergeable if (0)
        a[3] = 4;
#pragma omp taskwait
        a[4] = a[0] + a[1] + a[2] + a[3];
    }
    return a[4] != 11;
}
