// A two-dimensional sweep: every cell waits for its upper and its left neighbour.
// expect: clean
// workers: 1 2 8

int m[7][7];

int main()
{
    for (int i = 0; i < 7; i++)
        m[i][0] = m[0][i] = 1;
#pragma omp parallel for num_threads(2) ordered(2) schedule(static, 1)
    for (int i = 1; i < 7; i++)
        for (int j = 1; j < 7; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
            m[i][j] = m[i - 1][j] + m[i][j - 1];
#pragma omp ordered depend(source)
        }
    return m[6][6] != 924;
}
