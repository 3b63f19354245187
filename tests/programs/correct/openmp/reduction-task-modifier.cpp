// With the task modifier, the explicit tasks of the region take part in the region's reduction.
// expect: clean
// workers: 1 2 8

int main()
{
    int sum = 0;
#pragma omp parallel reduction(task, + : sum) num_threads(2)
    {
        sum += 1;
#pragma omp task in_reduction(+ : sum)
        sum += 10;
    }
    return sum != 22;
}
