// The iterations of a loop construct may run in any order and on any thread; they are disjoint here.
// expect: clean
// workers: 1 2 8

int a[30], b[30];

int main()
{
#pragma omp parallel
    {
#pragma omp loop
        for (int i = 0; i < 30; i++)
            a[i] = i;
#pragma omp loop
        for (int i = 0; i < 30; i++)
            b[i] = a[29 - i];
    }
    return b[0] != 29;
}
