// The creator waits for the undeferred task, but not for the child that this one leaves behind.
// expect: race
// workers: 1 2 8

int x;

static void use(int value) { asm volatile("" : : "r"(value)); }

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task if (0)
        {
#pragma omp task
            x = 1;  // race: A
        }
        use(x);  // race: A
    }
    return 0;
}
