// Three tasks read all of a table: two of them atomically, the third plainly. That two atomic reads need not be kept
// apart does not mean that one of them stands for the plain one, which races with the atomic writes.
// expect: race
// workers: 1 2 8

constexpr int kSize = 256;
int table[kSize];

static void use(int value) { asm volatile("" : : "r"(value)); }

static void read_atomically()
{
    for (int i = 0; i < kSize; ++i) {
        int value;
#pragma omp atomic read
        value = table[i];
        use(value);
    }
}

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        read_atomically();
#pragma omp task
        read_atomically();
#pragma omp task
        for (int i = 0; i < kSize; ++i) use(table[i]);  // race: A
#pragma omp task
        for (int i = 0; i < kSize; ++i) {
#pragma omp atomic write  // race: A
            table[i] = 1;  // race: A
        }
    }
    return 0;
}
