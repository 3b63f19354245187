// Each thread waits for its own child tasks, and only one has any: the others read while the task may still run.
// expect: race
// workers: 2 8

int value;

int main()
{
#pragma omp parallel
    {
#pragma omp single nowait
        {
#pragma omp task shared(value)
            value = 1;  // race: A
        }
#pragma omp taskwait
        [[maybe_unused]] volatile int seen = value;  // race: A
    }
    return 0;
}
