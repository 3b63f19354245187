// Every thread of the team increments the same counter without protection.
// expect: race
// workers: 2 8

int counter;

int main(void)
{
#pragma omp parallel
    {
        counter++;  // race: A
    }
    return 0;
}
