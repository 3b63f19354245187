// Every access to the counter is atomic: update, capture, read and write never race with each other.
// expect: clean
// workers: 1 2 8

int counter, slot[16];

int main()
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 16; i++) {
#pragma omp task
        {
            int ticket, seen;
#pragma omp atomic capture
            ticket = counter++;
            slot[ticket] = 1;
#pragma omp atomic update
            counter += 0;
#pragma omp atomic read
            seen = counter;
            if (seen < 0) {
#pragma omp atomic write
                counter = 0;
            }
        }
    }
    return counter != 16 || slot[15] != 1;
}
