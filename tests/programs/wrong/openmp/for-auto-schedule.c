// Whatever the automatic schedule is, more than one chunk takes part in 4000 iterations and writes the counter.
// expect: race
// workers: 2 8

int visited;

__attribute__((noinline)) static void visit(void)
{
    visited++;  // race: A
}

int main(void)
{
#pragma omp parallel for schedule(auto)
    for (int i = 0; i < 4000; i++) {
        if (i % 100 == 7)
            visit();
    }
    return 0;
}
