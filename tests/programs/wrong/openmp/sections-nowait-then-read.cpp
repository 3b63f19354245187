// The sections construct ends without a barrier, and every thread goes on to read what a section writes.
// expect: race
// workers: 2 8

int ready;
int other;

static void use(int value) { asm volatile("" : : "r"(value)); }
__attribute__((noinline)) static void produce() { ready = 1; }  // race: A
__attribute__((noinline)) static void unrelated() { other = 1; }

int main()
{
#pragma omp parallel
    {
#pragma omp sections nowait
        {
#pragma omp section
            produce();
#pragma omp section
            unrelated();
        }
        use(ready);  // race: A
    }
    return 0;
}
