// prove: proved
// flags: -fopenmp
// assumptions: copies
// What is firstprivate on target all teams share; here each has its own, and the verdict says so.
int main() {
  int sum = 0;
#pragma omp target teams num_teams(2)
  ++sum;
  return sum != 0;
}
