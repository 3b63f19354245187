// With chunks of four, the first element of a chunk reads the last one of the chunk before, which another thread has.
// expect: race
// workers: 2 8

enum { N = 64 };
int a[N];

int main(void)
{
#pragma omp parallel for schedule(static, 4)
    for (int i = 1; i < N; i++)
        a[i] = a[i - 1] + 1;  // race: A
    return 0;
}
