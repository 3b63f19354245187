// Without a device the target regions run on the host: the first is synchronous, the others are tasks in a chain.
// expect: clean
// workers: 1 2 8
// compilers: clang
// serial: yes

int x, y;

int main()
{
#pragma omp target map(tofrom : x)
    x += 1;
#pragma omp parallel
#pragma omp single
    {
#pragma omp target nowait map(tofrom : x) depend(inout : x)
        x += 10;
#pragma omp target nowait map(to : x) map(from : y) depend(in : x)
        y = x;
#pragma omp taskwait
        y += 100;
    }
    return y != 111;
}
