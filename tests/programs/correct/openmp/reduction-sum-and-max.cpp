// Reductions in a parallel region, in a loop and in sections; the barrier comes before the result is read.
// expect: clean
// workers: 1 2 8

int a[50], threads, sum, largest, pieces;

int main()
{
    for (int i = 0; i < 50; i++)
        a[i] = i;
#pragma omp parallel reduction(+ : threads)
    {
        threads += 1;
#pragma omp for schedule(dynamic, 4) reduction(+ : sum) reduction(max : largest)
        for (int i = 0; i < 50; i++) {
            sum += a[i];
            largest = a[i] > largest ? a[i] : largest;
        }
#pragma omp sections reduction(+ : pieces)
        {
#pragma omp section
            pieces += sum;
#pragma omp section
            pieces += largest;
        }
    }
    return threads < 1 || pieces != 1225 + 49;
}
