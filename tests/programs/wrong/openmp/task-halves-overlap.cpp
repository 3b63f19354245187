// Divide and conquer whose two halves share the middle element.
// expect: race
// workers: 1 2 8

int a[17];

static void increment(int low, int high)
{
    if (high - low <= 4) {
        for (int i = low; i <= high; i++)
            a[i]++;  // race: A
        return;
    }
    int middle = (low + high) / 2;
#pragma omp task
    increment(low, middle);
#pragma omp task
    increment(middle, high);
#pragma omp taskwait
}

int main()
{
#pragma omp parallel
#pragma omp single
    increment(0, 16);
    return 0;
}
