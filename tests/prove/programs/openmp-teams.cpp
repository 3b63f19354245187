// prove: race
// flags: -fopenmp
// The teams of a league go on beside each other, also on the host.
int main() {
  int sum = 0;
#pragma omp target teams num_teams(2) map(tofrom : sum)
  ++sum;
  return sum == 0;
}
