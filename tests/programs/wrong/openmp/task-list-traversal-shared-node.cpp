// The tasks see the traversing pointer itself instead of a copy of it, while the creator moves it on.
// expect: race
// workers: 1 2 8

struct Node {
    int value;
    Node *next;
};

Node nodes[4];
Node *node = nodes;

static void use(const Node *where) { asm volatile("" : : "r"(where)); }

int main()
{
    for (int i = 0; i < 3; i++)
        nodes[i].next = &nodes[i + 1];
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < 4; i++) {
#pragma omp task
            use(node);  // race: A
            node = node->next;  // race: A
        }
    }
    return 0;
}
