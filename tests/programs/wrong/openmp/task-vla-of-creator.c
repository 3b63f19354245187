// An array of variable length, shared by the tasks that its function creates: neighbours write the element between
// them. Each element is also read after the tasks.
// expect: race
// workers: 1 2 8

volatile int length = 45;

int main(void)
{
    int sum = 0;
#pragma omp parallel
#pragma omp single
    {
        int n = length;
        int values[n];
        for (int i = 0; i < n; i++)
            values[i] = i;
        for (int i = 0; i + 8 < n; i += 8) {
#pragma omp task shared(values) firstprivate(i)
            for (int j = i; j <= i + 8; j++)
                values[j] = j;  // race: A
        }
#pragma omp taskwait
        for (int i = 0; i < n; i++)
            sum += values[i];
    }
    return sum == 0;
}
