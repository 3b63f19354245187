// What an iteration wrote before its ordered region is visible after the ordered region of a later one.
// expect: clean
// workers: 1 2 8

int written[12], seen[12], turn;

int main()
{
#pragma omp parallel for ordered schedule(static, 1)
    for (int i = 0; i < 12; i++) {
        written[i] = i;
#pragma omp ordered
        turn = i;
        if (i > 0)
            seen[i] = written[i - 1];
    }
    return seen[11] != 10;
}
