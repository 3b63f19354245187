// The schedule comes from the environment: dynamic with chunks of two, and chunks share one element at their border.
// expect: race
// workers: 2 8
// env: OMP_SCHEDULE=dynamic,2

int a[41];

int main()
{
#pragma omp parallel for schedule(runtime)
    for (int i = 0; i < 40; i++)
        a[i] = a[i + 1] + i;  // race: A
    return 0;
}
