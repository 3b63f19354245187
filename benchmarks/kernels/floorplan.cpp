// Branch and bound: lays rectangles in turn, in either orientation, against those already laid, and looks for the
// smallest bounding box. All tasks share the best area: read atomically to prune, improved in a critical section.
#include "../bench.h"

#include <algorithm>
#include <vector>

namespace {

constexpr int kSide = 32;      // of the board
constexpr int kTaskCells = 3;  // cells laid before the search goes on serially
constexpr int kMaxCells = 10;
constexpr int kStandardArea = 192;

struct Cell {
  int width, height;
};

// Small ones first and never fitting without waste: the bound stays loose and the search deep.
constexpr Cell kCells[kMaxCells] = {{3, 2}, {5, 2}, {4, 3}, {5, 4}, {7, 3},
                                    {6, 5}, {7, 6}, {9, 5}, {8, 7}, {9, 2}};

struct Placement {
  int x, y, width, height;
};

struct Plan {
  unsigned char owner[kSide][kSide] = {};  // 0 where nothing lies
  Placement laid[kMaxCells] = {};
  int cells = 0, width = 0, height = 0;
};

struct Best {
  int area;
  Plan plan;
};

bool is_free(const Plan& plan, const Placement& place) {
  if (place.x + place.width > kSide || place.y + place.height > kSide) return false;
  for (int y = place.y; y < place.y + place.height; ++y)
    for (int x = place.x; x < place.x + place.width; ++x)
      if (plan.owner[y][x]) return false;
  return true;
}

void fill(Plan& plan, const Placement& place, unsigned char owner) {
  for (int y = place.y; y < place.y + place.height; ++y)
    for (int x = place.x; x < place.x + place.width; ++x) plan.owner[y][x] = owner;
}

void lay(Plan& plan, const Placement& place) {
  plan.laid[plan.cells++] = place;
  fill(plan, place, static_cast<unsigned char>(plan.cells));
  plan.width = std::max(plan.width, place.x + place.width);
  plan.height = std::max(plan.height, place.y + place.height);
}

int bound(const Best& best) {
  int area;
#pragma omp atomic read
  area = best.area;
  return area;
}

void improve(Best& best, const Plan& plan) {
  const int area = plan.width * plan.height;
#pragma omp critical(best_plan)
  if (area < best.area) {  // area is written only here, so this plain read needs no atomic
    best.plan = plan;
#pragma omp atomic write
    best.area = area;
  }
}

// Calls visit(placement) for every way to lay the next cell: where the right edge of one laid cell (or of the board's
// outside) crosses the lower edge of another.
template <class Visit>
void for_each_placement(const Plan& plan, Visit visit) {
  const Cell cell = kCells[plan.cells];
  const Cell orientations[2] = {cell, {cell.height, cell.width}};
  for (const auto [width, height] : orientations)
    for (int i = -1; i < plan.cells; ++i)
      for (int j = -1; j < plan.cells; ++j) {
        const int x = i < 0 ? 0 : plan.laid[i].x + plan.laid[i].width;
        const int y = j < 0 ? 0 : plan.laid[j].y + plan.laid[j].height;
        visit(Placement{x, y, width, height});
      }
}

void search(const Plan& plan, int cells, Best& best);

void extend(const Plan& plan, const Placement& place, int cells, Best& best) {
  const int width = std::max(plan.width, place.x + place.width);
  const int height = std::max(plan.height, place.y + place.height);
  if (width * height >= bound(best) || !is_free(plan, place)) return;
  Plan next = plan;
  lay(next, place);
  search(next, cells, best);
}

void search(const Plan& plan, int cells, Best& best) {
  if (plan.cells == cells) return improve(best, plan);
  if (plan.cells >= kTaskCells) {
    for_each_placement(plan, [&](const Placement& place) { extend(plan, place, cells, best); });
    return;
  }
  for_each_placement(plan, [&](const Placement& place) {
#pragma omp task shared(plan, best) firstprivate(place, cells)
    extend(plan, place, cells, best);
  });
#pragma omp taskwait
}

}  // namespace

int main(int argc, char** argv) {
  constexpr long kStandardCells = 8;
  const long cells = bench::size_argument(argc, argv, kStandardCells, bench::Exponential{11});
  bench::require(cells <= kMaxCells, "at most 10 cells");
  Best best{kSide * kSide + 1, {}};
#pragma omp parallel
#pragma omp single
  search(Plan{}, static_cast<int>(cells), best);

  bench::require(best.plan.cells == cells && best.area == best.plan.width * best.plan.height,
                 "a complete plan");
  int covered = 0, needed = 0;
  for (const auto& row : best.plan.owner)
    covered += static_cast<int>(kSide - std::count(row, row + kSide, 0));
  for (int i = 0; i < cells; ++i) needed += kCells[i].width * kCells[i].height;
  bench::require(covered == needed, "no two cells overlap");
  if (cells == kStandardCells) bench::require(best.area == kStandardArea, "the smallest area");
}
