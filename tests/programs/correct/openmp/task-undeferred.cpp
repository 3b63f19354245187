// An undeferred task is complete before its creator goes on, also when it had to wait for a dependence first.
// expect: clean
// workers: 1 2 8

int x, y, seen;

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task if (0)
        x = 1;
        seen = x;
#pragma omp task depend(out : y)
        y = 2;
#pragma omp task if (0) depend(in : y)
        seen += y;
        seen += y;
    }
    return seen != 5;
}
