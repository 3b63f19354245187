// GCC's code for a static schedule asks for the thread's number. That is not the program's question: the two singles
// are as parallel as without the loop.
// expect: race
// workers: 1 2 8

int cells[64], counter;

int main()
{
#pragma omp parallel
    {
#pragma omp for schedule(static) nowait
        for (int i = 0; i < 64; i++)
            cells[i] = i;
#pragma omp single nowait
        counter++;  // race: A
#pragma omp single nowait
        counter += 2;  // race: A
    }
    return counter < 1;
}
