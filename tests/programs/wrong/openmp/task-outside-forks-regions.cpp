// The threads of a region race with each other, whoever forked the region: a task outside of regions, or the initial
// task beside it.
// expect: race
// workers: 2 8

int x, y;

int main()
{
#pragma omp task shared(x)
    {
#pragma omp parallel
        x = 1;  // race: A
    }
#pragma omp parallel
    {
        y = 1;  // race: B
#pragma omp single nowait
        {
#pragma omp task
            y = 2;  // race: B
        }
    }
#pragma omp taskwait
    return 0;
}
