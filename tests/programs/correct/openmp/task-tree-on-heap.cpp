// Tasks build a tree of heap nodes, sum it up and tear it down: addresses are reused by tasks that never met.
// expect: clean
// workers: 1 2 8

struct Node {
    int value;
    Node *left, *right;
};

static Node *build(int depth)
{
    Node *node = new Node{1, nullptr, nullptr};
    if (depth > 0) {
#pragma omp task shared(node)
        node->left = build(depth - 1);
#pragma omp task shared(node)
        node->right = build(depth - 1);
#pragma omp taskwait
    }
    return node;
}

static int consume(Node *node)
{
    if (!node)
        return 0;
    int left, right;
#pragma omp task shared(left)
    left = consume(node->left);
#pragma omp task shared(right)
    right = consume(node->right);
#pragma omp taskwait
    int sum = left + right + node->value;
    delete node;
    return sum;
}

int main()
{
    int total = 0;
#pragma omp parallel
#pragma omp single
    for (int round = 0; round < 2; round++)
        total += consume(build(4));
    return total != 62;
}
