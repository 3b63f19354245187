// The tasks see the loop variable itself, while the creator goes on counting.
// expect: race
// workers: 1 2 8

int i;

static void use(int value) { asm volatile("" : : "r"(value)); }

int main()
{
#pragma omp parallel
#pragma omp single
    {
        for (i = 0; i < 4; i++) {  // race: A
#pragma omp task
            use(i);  // race: A
        }
    }
    return 0;
}
