// prove: proved
// flags: -fopenmp
// classes: 1
// Teams that have nothing in common.
#include <omp.h>

int main() {
  int sums[2] = {};
#pragma omp target teams num_teams(2) map(tofrom : sums)
  sums[omp_get_team_num()] += omp_get_num_teams();
  return sums[0] != 2 || sums[1] != 2;
}
