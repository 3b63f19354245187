// taskwait with a dependence waits for the writer of x; the data of the other task wait until the barrier.
// expect: clean
// workers: 1 2 8

int x, y, seen;

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : x)
        x = 1;
#pragma omp task depend(out : y)
        y = 2;
#pragma omp taskwait depend(in : x)
        seen = x;
    }
    return seen + y != 3;
}
