// The thread with the last iteration copies its value out while the others, who do not wait, already read.
// expect: race
// workers: 2 8
// compilers: gcc

int last;

static void use(int value) { asm volatile("" : : "r"(value)); }

int main()
{
#pragma omp parallel
    {
#pragma omp for schedule(static) lastprivate(last) nowait  // race: A
        for (int i = 0; i < 16; i++)
            last = i;
        use(last);  // race: A
    }
    return 0;
}
