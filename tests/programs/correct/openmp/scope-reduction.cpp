// A scope region with a reduction ends in a barrier: afterwards every thread may read the result.
// expect: clean
// workers: 1 2 8
// compilers: gcc

int threads;

int main()
{
    int wrong = 0;
#pragma omp parallel num_threads(2) reduction(| : wrong)
    {
#pragma omp scope reduction(+ : threads)
        threads += 1;
        wrong |= threads != 2;
    }
    return wrong;
}
