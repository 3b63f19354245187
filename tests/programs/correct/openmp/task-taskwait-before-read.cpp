// The creator waits for its child before it reads the result on its own stack.
// expect: clean
// workers: 1 2 8

int main()
{
    int wrong = 0;
#pragma omp parallel reduction(| : wrong)
    {
        int result = 0;
#pragma omp task shared(result)
        result = 42;
#pragma omp taskwait
        wrong |= result != 42;
    }
    return wrong;
}
