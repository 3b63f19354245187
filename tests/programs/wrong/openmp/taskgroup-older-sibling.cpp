// The taskgroup waits for the tasks created inside it, not for the one created before.
// expect: race
// workers: 1 2 8

int before, inside;

static void use(int value) { asm volatile("" : : "r"(value)); }

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        before = 1;  // race: A
#pragma omp taskgroup
        {
#pragma omp task
            inside = 1;
        }
        use(inside);
        use(before);  // race: A
    }
    return 0;
}
