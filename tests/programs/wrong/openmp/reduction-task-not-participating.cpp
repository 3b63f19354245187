// The taskgroup reduces x, but one task has no in_reduction clause and so updates the original, as its creator does.
// expect: race
// workers: 2 8
// compilers: gcc

int x;

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup task_reduction(+ : x)
        {
#pragma omp task in_reduction(+ : x)
            x += 1;
#pragma omp task
            x += 2;  // race: A
            x += 3;  // race: A
        }
    }
    return 0;
}
