// Tasks of a cancelled group may be dropped or stop early; the end of the group still comes after all that did run.
// expect: clean
// workers: 1 2 8
// env: OMP_CANCELLATION=true

int visited[20], sum;

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup
        for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(i)
            {
                visited[i] = 1;
#pragma omp cancellation point taskgroup
                if (i == 3) {
#pragma omp cancel taskgroup
                }
            }
        }
        for (int value : visited)
            sum += value;
    }
    return sum < 1;
}
