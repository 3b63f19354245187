// Each thread collects into a vector of its own, which grows in whichever chunk fills it, and hands over what it has
// at the end.
// expect: clean
// workers: 1 2 8
// history: none

#include <vector>

int main()
{
    std::vector<int> all;
#pragma omp parallel
    {
        std::vector<int> mine;
#pragma omp single nowait
        mine.push_back(-1);
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < 64; i++)
            mine.push_back(i);
#pragma omp critical
        all.insert(all.end(), mine.begin(), mine.end());
    }
    return all.size() != 65;
}
