// Two sibling tasks write one variable; the barrier at the end joins them, nothing orders them.
// expect: race
// workers: 1 2 8

int x;

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        x = 1;  // race: A
#pragma omp task
        x = 2;  // race: A
    }
    return 0;
}
