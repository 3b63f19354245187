// The sum lacks a reduction clause; the chunks of a dynamic loop are unordered even when one thread runs them all.
// expect: race
// workers: 2 8

int a[32];
int sum;

__attribute__((noinline)) static void add(int value)
{
    sum += value;  // race: A
}

int main()
{
#pragma omp parallel for schedule(dynamic, 1)
    for (int i = 0; i < 32; i++)
        add(a[i]);
    return 0;
}
