// The last parts of two untied tasks, wherever they go on, add to a local variable of the function that made the tasks.
// expect: race
// workers: 1 2 8

int result;

int work(int from)
{
    int terms[4];
    int* volatile at = terms;
    for (int i = 0; i < 4; i++) at[i] = from + i;
    return at[0] + at[3];
}

int count_twice()
{
    int count = 0;
    for (int i = 0; i < 2; i++)
#pragma omp task untied shared(count)
    {
        int own = work(i);
#pragma omp taskyield
        own += work(own);
#pragma omp task
        work(i);
#pragma omp taskwait
        count += own;  // race: A
    }
#pragma omp taskwait
    return count;
}

int main()
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 4; i++) {
#pragma omp task untied
        {
            int counted = count_twice();
#pragma omp atomic
            result += counted;
        }
    }
    return 0;
}
