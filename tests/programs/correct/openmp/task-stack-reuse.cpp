// The frames of tasks that one thread runs in turn lie at the same addresses; their children get references.
// expect: clean
// workers: 1 2 8

static void fill(int *where, int count)
{
    for (int i = 0; i < count; i++)
        where[i] = i;
}

int main()
{
    int total = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 16; i++) {
#pragma omp task shared(total)
        {
            int local[8];
#pragma omp task shared(local)
            fill(local, 4);
            fill(local + 4, 4);
#pragma omp taskwait
#pragma omp atomic
            total += local[3] + local[7];
        }
    }
    return total != 96;
}
