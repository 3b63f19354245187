// A doacross loop in a team whose size comes from the environment: with one thread nothing waits, and nothing races.
// expect: clean
// workers: 1 2 8
// compilers: clang
// serial: yes

int a[20];

int main()
{
#pragma omp parallel for ordered(1) schedule(static, 2)
    for (int i = 3; i < 20; i++) {
#pragma omp ordered depend(sink : i - 3)
        a[i] = a[i - 3] + 1;
#pragma omp ordered depend(source)
    }
    return a[18] != 6;
}
