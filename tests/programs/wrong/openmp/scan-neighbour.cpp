// The phase behind the scan runs in parallel, too: it must not write what a neighbour's iteration writes.
// expect: race
// workers: 2 8
// compilers: clang
// serial: yes

int a[64], prefix[65];

int main()
{
    for (int i = 0; i < 64; i++)
        a[i] = i;
    int sum = 0;
#pragma omp parallel for reduction(inscan, + : sum)
    for (int i = 0; i < 64; i++) {
        sum += a[i];
#pragma omp scan inclusive(sum)
        prefix[i] = sum;    // race: A
        prefix[i + 1] = 0;  // race: A
    }
    return 0;
}
