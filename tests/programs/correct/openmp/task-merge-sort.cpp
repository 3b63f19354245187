// Merge sort: the halves are sorted by tasks in disjoint ranges, and merged after taskwait.
// expect: clean
// workers: 1 2 8

enum { N = 64 };
int a[N], scratch[N];

static void sort(int low, int high)
{
    if (high - low < 2)
        return;
    int middle = (low + high) / 2;
#pragma omp task
    sort(low, middle);
#pragma omp task
    sort(middle, high);
#pragma omp taskwait
    int left = low, right = middle;
    for (int i = low; i < high; i++)
        scratch[i] = right == high || (left < middle && a[left] <= a[right]) ? a[left++] : a[right++];
    for (int i = low; i < high; i++)
        a[i] = scratch[i];
}

int main()
{
    for (int i = 0; i < N; i++)
        a[i] = i * 37 % N;
#pragma omp parallel
#pragma omp single
    sort(0, N);
    for (int i = 0; i < N; i++)
        if (a[i] != i)
            return 1;
    return 0;
}
