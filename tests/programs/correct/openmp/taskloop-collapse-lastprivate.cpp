// A collapsed taskloop; the last iteration's value is there when the construct ends.
// expect: clean
// workers: 1 2 8

int m[4][5], last = -1;

int main()
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop collapse(2) num_tasks(6) lastprivate(last)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 5; j++) {
                m[i][j] = i * j;
                last = 10 * i + j;
            }
        m[0][0] = last;
    }
    return m[0][0] != 34;
}
