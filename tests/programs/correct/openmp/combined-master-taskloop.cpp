// Combined constructs: the master makes the tasks of a taskloop, the others help; the region's end joins all.
// expect: clean
// workers: 1 2 8

int a[24], sum;

int main()
{
#pragma omp parallel master taskloop grainsize(5)
    for (int i = 0; i < 24; i++)
        a[i] = i;
#pragma omp parallel master taskloop num_tasks(3) reduction(+ : sum)
    for (int i = 0; i < 24; i++)
        sum += a[i];
    return sum != 276;
}
