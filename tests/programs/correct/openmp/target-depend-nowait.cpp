// Target tasks in a chain of dependences, and a target region that waits for the last of them.
// expect: clean
// workers: 1 2 8
// compilers: clang
// serial: yes

int value, copy = 5;

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp target map(tofrom : value) firstprivate(copy) nowait depend(out : value)
        value = copy;
#pragma omp target map(tofrom : value) nowait depend(inout : value)
        value *= 2;
#pragma omp target map(tofrom : value) depend(inout : value)
        value += 1;
    }
    return value != 11;
}
