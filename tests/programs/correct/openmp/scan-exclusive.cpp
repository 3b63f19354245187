// Each iteration sees the sum of those before it.
// expect: clean
// workers: 1 2 8
// compilers: clang
// serial: yes

int a[40], before[40];

int main()
{
    for (int i = 0; i < 40; i++)
        a[i] = i;
    int sum = 0;
#pragma omp parallel for reduction(inscan, + : sum)
    for (int i = 0; i < 40; i++) {
        before[i] = sum;
#pragma omp scan exclusive(sum)
        sum += a[i];
    }
    return before[39] != 741 || sum != 780;
}
