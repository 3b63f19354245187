// Tasks of an inoutset run beside each other on different parts; what follows waits for the whole set.
// expect: clean
// workers: 1 2 8
// compilers: clang

int part[2], last;

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(inoutset : part)
        part[0] = 1;
#pragma omp task depend(inoutset : part)
        part[1] = 2;
#pragma omp task depend(in : part)
        last = part[0] + part[1];
    }
    return last != 3;
}
