// prove: proved
// assumptions: own-blocks
// options: --threads=1
// flags: -fopenmp
// Two singles of one thread use a block that it has allocated in the region: its own, or one for all?
#include <cstdlib>

int main() {
#pragma omp parallel
  {
    int* buffer = static_cast<int*>(std::calloc(4, sizeof(int)));
#pragma omp single nowait
    buffer[0] += 1;
#pragma omp single nowait
    buffer[0] += 2;
#pragma omp barrier
    std::free(buffer);
  }
}
