// A taskloop with a reduction: every task adds to a private copy.
// expect: clean
// workers: 1 2 8

int sum;

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop grainsize(2) reduction(+ : sum)
        for (int i = 0; i < 30; i++)
            sum += i;
        sum *= 2;
    }
    return sum != 870;
}
