// The tasks of the set exclude each other, in any order; the last task comes after all of them.
// expect: clean
// workers: 1 2 8

int x, last;

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : x)
        x = 1;
        for (int i = 0; i < 4; i++) {
#pragma omp task depend(mutexinoutset : x)
            x += 10;
        }
#pragma omp task depend(in : x)
        last = x;
    }
    return last != 41;
}
