// A taskloop has an implicit taskgroup: its tasks are complete when the creator goes on.
// expect: clean
// workers: 1 2 8

int a[40], sum;

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop grainsize(3)
        for (int i = 0; i < 40; i++)
            a[i] = i;
        for (int value : a)
            sum += value;
#pragma omp taskloop num_tasks(5)
        for (int i = 0; i < 40; i++)
            a[39 - i] += sum;
    }
    return a[0] != 780;
}
