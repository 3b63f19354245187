// Each team works on its own slot and the league's end joins them; a distributed loop has disjoint iterations.
// expect: clean
// workers: 1 2 8

#include <omp.h>

int slot[8], a[40];

int main()
{
#pragma omp teams num_teams(2)
    {
        slot[omp_get_team_num()] = 1;
#pragma omp distribute parallel for num_threads(2)
        for (int i = 0; i < 40; i++)
            a[i] = i;
    }
    return a[39] + slot[0] != 40;
}
