// A reduction over a class with its own combiner and initialiser.
// expect: clean
// workers: 1 2 8

struct Range {
    int low = 1000, high = -1000;

    void add(int value)
    {
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    void add(const Range &other)
    {
        low = other.low < low ? other.low : low;
        high = other.high > high ? other.high : high;
    }
};

#pragma omp declare reduction(widen : Range : omp_out.add(omp_in)) initializer(omp_priv = Range())

int main()
{
    Range range;
#pragma omp parallel for schedule(dynamic, 2) reduction(widen : range)
    for (int i = 5; i < 30; i++)
        range.add(i);
    return range.low != 5 || range.high != 29;
}
