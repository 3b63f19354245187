// One thread initialises, the others do not wait for it.
// expect: race
// workers: 2 8

int table[4];

static void use(int value) { asm volatile("" : : "r"(value)); }

int main()
{
#pragma omp parallel
    {
#pragma omp single nowait
        table[2] = 7;  // race: A
        use(table[2]);  // race: A
    }
    return 0;
}
