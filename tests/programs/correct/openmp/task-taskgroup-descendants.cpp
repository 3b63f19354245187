// The end of a taskgroup waits for children and grandchildren alike.
// expect: clean
// workers: 1 2 8

int child, grandchild, seen;

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup
        {
#pragma omp task
            {
#pragma omp task
                grandchild = 2;
                child = 1;
            }
        }
        seen = child + grandchild;
    }
    return seen != 3;
}
