// Exceptions thrown and caught inside a task, with its own exception object each.
// expect: clean
// workers: 1 2 8

int caught[8];

static int check(int i)
{
    if (i % 2)
        throw i;
    return -i;
}

int main()
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 8; i++) {
#pragma omp task
        {
            try {
                caught[i] = check(i);
            } catch (int &value) {
                caught[i] = value;
            }
        }
    }
    return caught[7] != 7;
}
