// The task has the creator's stack variable by reference, and the creator changes it before waiting.
// expect: race
// workers: 1 2 8

int main()
{
#pragma omp parallel
#pragma omp single
    {
        int local = 1;
#pragma omp task shared(local)
        local += 1;  // race: A
        local = 2;   // race: A
#pragma omp taskwait
    }
    return 0;
}
