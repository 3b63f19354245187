// Inner teams work on the row of their outer thread; the inner join orders the row's total after its cells.
// expect: clean
// workers: 1 2 8

#include <omp.h>

int cell[2][2], total[2];

int main()
{
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
        int row = omp_get_thread_num();
#pragma omp parallel num_threads(2)
        cell[row][omp_get_thread_num()] = 1;
        total[row] = cell[row][0] + cell[row][1];
    }
    return total[0] + total[1] == 0;
}
