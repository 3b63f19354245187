// Iteration i reads the element that iteration i + 1 writes: a race where the blocks of two threads meet.
// expect: race
// workers: 2 8

enum { N = 128 };
int a[N + 1];

int main(void)
{
    for (int i = 0; i <= N; i++)
        a[i] = i;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < N; i++)
        a[i] = a[i + 1] + 1;  // race: A
    return 0;
}
