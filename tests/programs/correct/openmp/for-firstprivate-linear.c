// A linear variable has a private copy whose value follows the iteration number.
// expect: clean
// workers: 1 2 8

enum { N = 20 };
int a[2 * N];

int main(void)
{
    int j = 0, offset = 1;
#pragma omp parallel for schedule(static, 2) linear(j : 2) firstprivate(offset)
    for (int i = 0; i < N; i++) {
        a[j] = i + offset;
        j += 2;
    }
    return a[2 * N - 2] != N || j != 2 * N;
}
