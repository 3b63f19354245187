// The variable is thread-local, but its address is handed to tasks: they all change the creator's, whichever thread
// runs them.
// expect: race
// workers: 1 2 8

thread_local int counter;

int main()
{
    int total = 0;
#pragma omp parallel
#pragma omp single
    {
        int *mine = &counter;
        for (int i = 0; i < 4; i++) {
#pragma omp task firstprivate(mine)
            *mine += 1;  // race: A
        }
#pragma omp taskwait
        total = *mine;
    }
    return total < 1;
}
