// Every iteration of the taskloop is a task of its own, and it reads what its neighbour writes.
// expect: race
// workers: 1 2 8

int a[17];

int main()
{
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(1)
    for (int i = 0; i < 16; i++)
        a[i] = a[i + 1] + 1;  // race: A
    return 0;
}
