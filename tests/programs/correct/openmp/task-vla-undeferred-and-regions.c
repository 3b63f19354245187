// Arrays of variable length in tasks that run at once, in regions of one thread, and in functions called between them,
// all at the same place of the stack.
// expect: clean
// workers: 1 2 8

volatile int length = 200;
long total;

__attribute__((noinline)) static long fill(int n, int with)
{
    int values[n];
    for (int i = 0; i < n; i++)
        values[i] = with;
    long sum = 0;
    for (int i = 0; i < n; i += 50)
        sum += values[i];
    return sum;
}

int main(void)
{
    int order = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 12; i++) {
        int n = length;
        int own[n];
        own[7] = i;
#pragma omp task firstprivate(i) shared(order)
        {
            long sum = fill(length, i);
#pragma omp atomic
            total += sum;
        }
        long here = fill(2 * length, i);
#pragma omp task if (0) depend(inout : order) shared(own, here)
        {
            here += fill(n, own[7]);
#pragma omp parallel if (0) shared(here)
            {
#pragma omp task shared(here, own)
                here += fill(n / 2, own[7]);
            }
        }
#pragma omp atomic
        total += here;
        fill(n, 1);
    }
    return total != 66L * (4 + 8 + 4 + 2);
}
