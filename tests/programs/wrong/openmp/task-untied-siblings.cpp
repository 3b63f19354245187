// Untied tasks may change threads when they are suspended; that adds no order between two of them.
// expect: race
// workers: 1 2 8

int x;

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task untied
        {
#pragma omp taskyield
            x = 1;  // race: A
        }
#pragma omp task untied
        {
#pragma omp taskyield
            x = 2;  // race: A
        }
    }
    return 0;
}
