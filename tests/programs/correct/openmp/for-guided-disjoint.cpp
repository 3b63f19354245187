// A guided loop over disjoint elements, and then one whose schedule is chosen by the runtime.
// expect: clean
// workers: 1 2 8
// env: OMP_SCHEDULE=guided,2

int a[128];

int main()
{
#pragma omp parallel
    {
#pragma omp for schedule(guided)
        for (int i = 0; i < 128; i++)
            a[i] = i;
#pragma omp for schedule(runtime)
        for (int i = 0; i < 128; i++)
            a[127 - i] += 1;
#pragma omp for schedule(auto)
        for (int i = 0; i < 128; i++)
            a[i] += 1;
    }
    return a[5] != 7;
}
