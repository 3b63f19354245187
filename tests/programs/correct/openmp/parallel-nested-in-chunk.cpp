// A region inside of a chunk uses what is private to the thread that runs the chunk; so do sections and singles after
// the loop.
// expect: clean
// workers: 1 2 8

int total;

int main()
{
#pragma omp parallel
    {
        int mine[3] = {};
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 8; i++) {
            mine[0] += 1;
#pragma omp parallel num_threads(1)
            mine[1] += 1;
        }
#pragma omp sections nowait
        {
#pragma omp section
            mine[2] += 1;
#pragma omp section
            mine[2] += 2;
        }
#pragma omp single nowait
        mine[2] += 1;
#pragma omp atomic
        total += mine[0] + mine[1] + mine[2];
    }
    return total != 20;
}
