// The distributed loop gives each team a block, and the blocks overlap by one element.
// expect: race
// workers: 1 2 8

int a[33];

int main()
{
#pragma omp teams distribute num_teams(2)
    for (int i = 0; i < 32; i++)
        a[i] = a[i + 1] + 1;  // race: A
    return 0;
}
