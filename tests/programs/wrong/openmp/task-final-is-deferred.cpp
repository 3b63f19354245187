// final makes the task's children run at once inside it; the final task itself is still parallel to its creator.
// expect: race
// workers: 1 2 8

int x;

static void use(int value) { asm volatile("" : : "r"(value)); }

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task final(1)
        {
#pragma omp task
            x = 1;  // race: A
        }
        use(x);  // race: A
#pragma omp taskwait
    }
    return 0;
}
