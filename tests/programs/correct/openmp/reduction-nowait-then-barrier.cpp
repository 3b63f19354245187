// The loop has no barrier of its own, but there is one before the result is read.
// expect: clean
// workers: 1 2 8

int sum;

int main()
{
    int wrong = 0;
#pragma omp parallel reduction(| : wrong)
    {
#pragma omp for reduction(+ : sum) nowait
        for (int i = 0; i < 16; i++)
            sum += i;
#pragma omp barrier
        wrong |= sum != 120;
    }
    return wrong;
}
