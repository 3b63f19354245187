// Tasks created by the chunks of a loop are complete at the loop's barrier.
// expect: clean
// workers: 1 2 8

int a[20], b[20];

int main()
{
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 3)
        for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(i)
            a[i] = i;
        }
#pragma omp for schedule(static)
        for (int i = 0; i < 20; i++)
            b[i] = a[19 - i];
    }
    return b[0] != 19;
}
