// Two tasks wait for their own child each; between the children of different parents there is no order.
// expect: race
// workers: 1 2 8

int x;

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
#pragma omp task
            x = 1;  // race: A
#pragma omp taskwait
        }
#pragma omp task
        {
#pragma omp task
            x = 2;  // race: A
#pragma omp taskwait
        }
    }
    return 0;
}
