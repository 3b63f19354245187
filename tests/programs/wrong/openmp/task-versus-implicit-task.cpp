// A task created by one thread writes while every thread of the team reads, before the barrier completes the task.
// expect: race
// workers: 1 2 8

int x;

static void use(int value) { asm volatile("" : : "r"(value)); }

int main()
{
#pragma omp parallel
    {
#pragma omp single nowait
        {
#pragma omp task
            x = 1;  // race: A
        }
        use(x);  // race: A
#pragma omp barrier
    }
    return 0;
}
