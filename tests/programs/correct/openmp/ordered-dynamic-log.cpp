// The ordered regions run in the order of the iterations, whoever runs them: they may share the log.
// expect: clean
// workers: 1 2 8

int length, entry[16];

int main()
{
#pragma omp parallel for ordered schedule(dynamic, 1)
    for (int i = 0; i < 16; i++) {
#pragma omp ordered
        entry[length++] = i;
    }
    return entry[15] != 15;
}
