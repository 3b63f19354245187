// A taskgroup around a single waits for the tasks of the single, in the thread that got it.
// expect: clean
// workers: 1 2 8
// history: none

int value;

int main()
{
#pragma omp parallel
    {
        bool mine = false;
#pragma omp taskgroup
        {
#pragma omp single nowait
            {
                mine = true;
#pragma omp task shared(value)
                value = 1;
            }
        }
        if (mine) value = 2;
#pragma omp barrier
#pragma omp single
        ++value;
    }
    return value == 3 ? 0 : 1;
}
