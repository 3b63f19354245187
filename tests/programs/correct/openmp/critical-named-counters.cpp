// Each counter has a critical region of its own name; two places share the unnamed one.
// expect: clean
// workers: 1 2 8

int hits, misses, steps;

int main()
{
#pragma omp parallel for schedule(dynamic, 1)
    for (int i = 0; i < 30; i++) {
        if (i % 3 == 0) {
#pragma omp critical(count_hits)
            hits++;
#pragma omp critical
            steps += 2;
        } else {
#pragma omp critical(count_misses)
            misses++;
#pragma omp critical
            steps += 1;
        }
    }
    return hits != 10 || misses != 20 || steps != 40;
}
