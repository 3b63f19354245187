// Untied tasks in parts: after each part its thread goes on with something else, in the memory where the part's
// frames were.
// expect: clean
// workers: 1 2 8

int sums[16];

int sum_of(int first)
{
    int terms[8];
    int* volatile at = terms;
    for (int i = 0; i < 8; i++) at[i] = first + i;
    int sum = 0;
    for (int i = 0; i < 8; i++) sum += at[i];
    return sum;
}

int main()
{
    int own = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < 16; i++) {
#pragma omp task untied
            {
                sums[i] = sum_of(i);
#pragma omp taskyield
                sums[i] += sum_of(2 * i);
#pragma omp task
                sum_of(i);
#pragma omp taskwait
                sums[i] += sum_of(3 * i);
            }
#pragma omp taskyield
            own += sum_of(i);
        }
#pragma omp taskwait
        for (int i = 0; i < 16; i++) own += sums[i];
    }
    return own == 0;
}
