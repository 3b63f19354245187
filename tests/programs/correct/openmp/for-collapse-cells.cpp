// The collapsed iteration space has one iteration per cell.
// expect: clean
// workers: 1 2 8

int m[6][7];

int main()
{
#pragma omp parallel for collapse(2) schedule(dynamic, 1)
    for (int row = 0; row < 6; row++)
        for (int column = 0; column < 7; column++)
            m[row][column] = row * column;
    return m[5][6] != 30;
}
