// The update is atomic, the read is not.
// expect: race
// workers: 1 2 8

int counter;

static void use(int value) { asm volatile("" : : "r"(value)); }

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
#pragma omp atomic  // race: A
            counter += 1;  // race: A
        }
#pragma omp task
        use(counter);  // race: A
    }
    return 0;
}
