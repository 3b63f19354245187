// The initial threads of two teams are not synchronised with each other before the league ends.
// expect: race
// workers: 1 2 8

int counter;

int main()
{
#pragma omp teams num_teams(2)
    counter += 1;  // race: A
    return 0;
}
