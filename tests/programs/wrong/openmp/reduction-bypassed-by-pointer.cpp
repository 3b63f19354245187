// Inside the region the name sum is a private copy, but the pointer still leads to the original.
// expect: race
// workers: 2 8

int sum;
int *original = &sum;

int main()
{
#pragma omp parallel reduction(+ : sum)  // race: A
    {
        sum += 1;
        *original += 1;  // race: A
    }  // race: A
    return 0;
}
