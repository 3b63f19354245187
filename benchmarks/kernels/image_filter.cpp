// Filters a grey image of 8 bits a pixel: 3x3 blur and sharpen in turn, rows in parallel, from one buffer into the
// other. Dense loops over single bytes; every row is read by three iterations, at the seams by two threads.
#include "../bench.h"

#include <algorithm>
#include <vector>

namespace {

constexpr int kPasses = 40;

using Pixel = std::uint8_t;

struct Image {
  explicit Image(long side) : side(side), pixels(side * side) {}
  Pixel* row(long y) { return pixels.data() + y * side; }
  const Pixel* row(long y) const { return pixels.data() + y * side; }
  long side;
  std::vector<Pixel> pixels;
};

void blur_row(const Pixel* above, const Pixel* here, const Pixel* below, Pixel* out, long side) {
  for (long x = 1; x + 1 < side; ++x) {
    const int sum = above[x - 1] + above[x] + above[x + 1] + here[x - 1] + here[x] + here[x + 1] +
                    below[x - 1] + below[x] + below[x + 1];
    out[x] = static_cast<Pixel>((sum + 4) / 9);
  }
}

void sharpen_row(const Pixel* above, const Pixel* here, const Pixel* below, Pixel* out, long side) {
  for (long x = 1; x + 1 < side; ++x) {
    const int sharp = 5 * here[x] - above[x] - below[x] - here[x - 1] - here[x + 1];
    out[x] = static_cast<Pixel>(std::clamp(sharp, 0, 255));
  }
}

// The pixels at the edges stay as they are.
template <class Row>
void filter(const Image& from, Image& to, Row filter_row) {
#pragma omp parallel for schedule(static)
  for (long y = 1; y < from.side - 1; ++y) {
    Pixel* out = to.row(y);
    out[0] = from.row(y)[0];
    out[from.side - 1] = from.row(y)[from.side - 1];
    filter_row(from.row(y - 1), from.row(y), from.row(y + 1), out, from.side);
  }
}

// Noise, but the same from left and right.
Image symmetric_noise(long side) {
  Image image(side);
  for (long y = 0; y < side; ++y)
    for (long x = 0; x < side; ++x)
      image.row(y)[x] = static_cast<Pixel>(bench::mix(y * side + std::min(x, side - 1 - x)));
  return image;
}

// What the last pass made of `from`, pixel by pixel in another way.
int sharpened(const Image& from, long x, long y) {
  int sum = 6 * from.row(y)[x];
  for (long dy = -1; dy <= 1; ++dy)
    for (long dx = -1; dx <= 1; ++dx)
      if (dx == 0 || dy == 0) sum -= from.row(y + dy)[x + dx];
  return std::clamp(sum, 0, 255);
}

}  // namespace

int main(int argc, char** argv) {
  const long side = std::max(3L, bench::size_argument(argc, argv, 2600, bench::Polynomial{2}));
  Image image = symmetric_noise(side), blurred = image;
  for (int i = 0; i < kPasses / 2; ++i) {
    filter(image, blurred, blur_row);
    filter(blurred, image, sharpen_row);
  }
  for (long y = 1; y + 1 < side; ++y) {
    for (long x = 1; x + 1 < side; ++x) {
      bench::require(image.row(y)[x] == image.row(y)[side - 1 - x], "the same from left and right");
      bench::require(image.row(y)[x] == sharpened(blurred, x, y), "the last pass");
    }
  }
}
