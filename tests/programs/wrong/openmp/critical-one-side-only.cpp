// One task updates under the critical region, its sibling writes without it.
// expect: race
// workers: 1 2 8

int balance;

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
#pragma omp critical
            balance += 10;  // race: A
        }
#pragma omp task
        balance = 5;  // race: A
    }
    return 0;
}
