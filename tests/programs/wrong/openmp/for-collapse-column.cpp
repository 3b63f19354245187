// Both loops are collapsed, so the iterations of one row are spread over chunks, and the row's total is shared.
// expect: race
// workers: 2 8

int total[4];
int m[4][8];

int main()
{
#pragma omp parallel for collapse(2) schedule(dynamic, 1)
    for (int row = 0; row < 4; row++)
        for (int column = 0; column < 8; column++)
            total[row] += m[row][column];  // race: A
    return 0;
}
