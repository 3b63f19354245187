// The tasks of a target region outside of parallel regions: its one thread has run them when the region ends.
// expect: clean
// workers: 1 2 8
// compilers: clang
// serial: yes

int x;

int main()
{
#pragma omp target map(tofrom : x)
    {
#pragma omp task shared(x)
        x = 1;
        x += 1;
    }
    x += 3;
    return 0;
}
