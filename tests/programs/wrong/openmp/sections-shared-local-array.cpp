// Two sections add to one element of an array that is a local of the function that meets the construct.
// expect: race
// workers: 1 2 8

int main()
{
    int sums[4] = {};
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        sums[0] += 1;  // race: A
#pragma omp section
        sums[0] = 2;  // race: A
    }
    return sums[0] < 1;
}
