// The if clause makes a team of one: nothing runs beside it.
// expect: clean
// workers: 1 2 8

int counter;

int main(void)
{
#pragma omp parallel if (0)
    counter++;
    return counter != 1;
}
