// The parent of a task that is created in a single is the implicit task of the thread that got the single. Its taskwait
// waits for the task, also behind the single, and in the next one.
// expect: clean
// workers: 1 2 8
// history: none

int value, other;

int main()
{
#pragma omp parallel
    {
        bool mine = false;
#pragma omp single nowait
        {
            mine = true;
#pragma omp task shared(value)
            value = 1;
        }
#pragma omp taskwait
        if (mine) value = 2;
    }
#pragma omp parallel
    {
        bool mine = false;
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < 1; ++i) {
            mine = true;
#pragma omp task shared(other)
            other = 1;
        }
#pragma omp taskwait
        if (mine) ++other;
    }
    return value == 2 && other == 2 ? 0 : 1;
}
