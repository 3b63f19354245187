// The lock covers the counter in both tasks; the name beside it is written before the lock here and after it there.
// expect: predicted
// workers: 2 8

int count;
char name[4];

int main()
{
#pragma omp parallel sections
    {
#pragma omp section
        {
            name[0] = 'a';  // race: A
#pragma omp critical(entries)
            count++;
        }
#pragma omp section
        {
#pragma omp critical(entries)
            count += 2;
            name[0] = 'b';  // race: A
        }
    }
    return 0;
}
