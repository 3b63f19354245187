// Each thread has a private copy of the section, and the copies are combined at the end.
// expect: clean
// workers: 1 2 8

int main()
{
    int histogram[4] = {0, 0, 0, 0};
    int *bin = histogram;
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : bin[0 : 4])
    for (int i = 0; i < 40; i++)
        bin[i % 4] += 1;
    return histogram[0] != 10 || histogram[3] != 10;
}
