// The dependence of the reader is stored in a depend object.
// expect: clean
// workers: 1 2 8

#include <omp.h>

int x, seen;

int main()
{
#pragma omp parallel
#pragma omp single
    {
        omp_depend_t reads_x;
#pragma omp depobj(reads_x) depend(in : x)
#pragma omp task depend(out : x)
        x = 1;
#pragma omp task depend(depobj : reads_x)
        seen = x;
#pragma omp taskwait
#pragma omp depobj(reads_x) destroy
    }
    return seen != 1;
}
