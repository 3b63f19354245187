// Every node adds up its children's sums without having waited for the tasks that compute them.
// expect: race
// workers: 1 2 8

int sum[31];  // a binary tree: the children of node n are 2n + 1 and 2n + 2

__attribute__((noinline)) static void leaf(int node)
{
    sum[node] = node;  // race: A
}

__attribute__((noinline)) static void inner(int node)
{
    sum[node] = sum[2 * node + 1] + sum[2 * node + 2];  // race: A
}

static void add_up(int node)
{
    if (node >= 15) {
        leaf(node);
        return;
    }
#pragma omp task
    add_up(2 * node + 1);
#pragma omp task
    add_up(2 * node + 2);
    inner(node);
}

int main()
{
#pragma omp parallel
#pragma omp single
    add_up(0);
    return 0;
}
