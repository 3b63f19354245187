// Masked regions with two filters write different variables, and meet after a barrier.
// expect: clean
// workers: 1 2 8

int x, y;

int main()
{
    int wrong = 0;
#pragma omp parallel num_threads(2) reduction(| : wrong)
    {
#pragma omp masked
        x = 1;
#pragma omp masked filter(1)
        y = 2;
#pragma omp barrier
        wrong |= x + y != 3;
    }
    return wrong;
}
