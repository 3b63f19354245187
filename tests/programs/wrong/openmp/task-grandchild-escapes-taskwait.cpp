// taskwait waits for children only: the grandchild may still be writing when the creator reads.
// expect: race
// workers: 1 2 8

int result;

static void use(int value) { asm volatile("" : : "r"(value)); }

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
#pragma omp task
            result = 42;  // race: A
        }
#pragma omp taskwait
        use(result);  // race: A
    }
    return 0;
}
