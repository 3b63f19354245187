// nogroup takes away the implicit taskgroup: the tasks may still run when the creator reads.
// expect: race
// workers: 1 2 8

int a[8];

static void use(int value) { asm volatile("" : : "r"(value)); }

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop nogroup num_tasks(4)
        for (int i = 0; i < 8; i++)
            a[i] = i;  // race: A
        use(a[5]);     // race: A
#pragma omp taskwait
    }
    return 0;
}
