// A private variable of a task starts fresh in every task, although its name is that of a shared one.
// expect: clean
// workers: 1 2 8

int result[10];

int main(void)
{
    int scratch = -1;
#pragma omp parallel shared(scratch)
#pragma omp single
    for (int i = 0; i < 10; i++) {
#pragma omp task private(scratch)
        {
            scratch = i;
            scratch *= 2;
            result[i] = scratch;
        }
    }
    return result[9] != 18 || scratch != -1;
}
