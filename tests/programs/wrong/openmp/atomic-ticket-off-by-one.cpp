// Every task draws a ticket of its own but also writes the next one's slot.
// expect: race
// workers: 1 2 8

int next_ticket;
int slot[9];

__attribute__((noinline)) static void fill(int ticket)
{
    slot[ticket] = 1;      // race: A
    slot[ticket + 1] = 0;  // race: A
}

int main()
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 8; i++) {
#pragma omp task
        {
            int ticket;
#pragma omp atomic capture
            ticket = next_ticket++;
            fill(ticket);
        }
    }
    return 0;
}
