// Out, two in, inout, in: the readers are parallel to each other and ordered with both writers.
// expect: clean
// workers: 1 2 8

int x, first, second, last;

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : x)
        x = 1;
#pragma omp task depend(in : x)
        first = x;
#pragma omp task depend(in : x)
        second = x;
#pragma omp task depend(inout : x)
        x += first + second;
#pragma omp task depend(in : x)
        last = x;
    }
    return last != 3;
}
