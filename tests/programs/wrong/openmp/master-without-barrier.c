// A master region has no barrier at its end: the other threads may read before the master has written.
// expect: race
// workers: 2 8

int setting;

static void use(int value) { __asm__ volatile("" : : "r"(value)); }

int main(void)
{
#pragma omp parallel
    {
#pragma omp master
        setting = 3;  // race: A
        use(setting);  // race: A
    }
    return 0;
}
