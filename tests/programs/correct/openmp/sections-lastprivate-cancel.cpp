// lastprivate of sections comes from the last one; a cancelled sections construct may leave sections out.
// expect: clean
// workers: 1 2 8
// env: OMP_CANCELLATION=true

int last = -1, first_done;

__attribute__((noinline)) static void mark() { first_done = 1; }

int main()
{
#pragma omp parallel
    {
#pragma omp sections lastprivate(last)
        {
#pragma omp section
            last = 1;
#pragma omp section
            last = 2;
        }
#pragma omp sections
        {
#pragma omp section
            {
                mark();
#pragma omp cancel sections
            }
        }
    }
    return last != 2 || first_done != 1;
}
