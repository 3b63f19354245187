// The task cancels its group after its write; the creator writes meanwhile.
// expect: race
// workers: 1 2 8
// env: OMP_CANCELLATION=true

int x;

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup
        {
#pragma omp task
            {
                x = 1;  // race: A
#pragma omp cancel taskgroup
            }
            x = 2;  // race: A
        }
    }
    return 0;
}
