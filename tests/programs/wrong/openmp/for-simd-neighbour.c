// The loop is split over threads and vectorised inside; the blocks of two threads overlap by one element.
// expect: race
// workers: 2 8

enum { N = 256 };
int a[N + 1], b[N];

int main(void)
{
#pragma omp parallel for simd schedule(static)
    for (int i = 0; i < N; i++)
        a[i] = a[i + 1] + b[i];  // race: A
    return 0;
}
