// mergeable says that a task may use its creator's data environment when it is undeferred; these two are not.
// expect: race
// workers: 1 2 8

int x;

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task mergeable
        x += 1;  // race: A
#pragma omp task mergeable
        x += 2;  // race: A
    }
    return 0;
}
