// A prefix sum over a loop split between threads.
// expect: clean
// workers: 1 2 8
// compilers: clang
// serial: yes

int a[32], prefix[32];

int main()
{
    for (int i = 0; i < 32; i++)
        a[i] = i;
    int sum = 0;
#pragma omp parallel for reduction(inscan, + : sum)
    for (int i = 0; i < 32; i++) {
        sum += a[i];
#pragma omp scan inclusive(sum)
        prefix[i] = sum;
    }
    return prefix[31] != 496;
}
