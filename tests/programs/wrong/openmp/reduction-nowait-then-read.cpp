// With nowait the threads still combine their partial sums when the first one reads the result.
// expect: race
// workers: 2 8

int sum;

static void use(int value) { asm volatile("" : : "r"(value)); }

int main()
{
#pragma omp parallel
    {
#pragma omp for reduction(+ : sum) nowait  // race: A
        for (int i = 0; i < 16; i++)
            sum += i;
        use(sum);  // race: A
    }
    return 0;
}
