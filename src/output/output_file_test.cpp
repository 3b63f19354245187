#include "output/output_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

namespace heddle::output {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public testing::Test {
 protected:
  OutputFileTest() {
    std::string name = (fs::temp_directory_path() / "output_file_test-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~OutputFileTest() override { fs::remove_all(folder_); }

  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  void put(const std::string& name, const std::string& text) const { std::ofstream(at(name)) << text; }
  std::string text(const std::string& name) const {
    std::ifstream in(at(name));
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::ptrdiff_t files() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }

  fs::path folder_;
};

TEST_F(OutputFileTest, ReplacesWhenItIsWhole) {
  put("a", "before");
  auto file = OutputFile::create(at("a"));
  ASSERT_TRUE(file);
  EXPECT_EQ(file->write("after"), "");
  EXPECT_EQ(text("a"), "before");
  EXPECT_EQ(file->publish(), "");
  EXPECT_EQ(text("a"), "after");
  EXPECT_EQ(file->write(", and more"), "");
  EXPECT_EQ(text("a"), "after, and more");
  EXPECT_EQ(files(), 1);
}

TEST_F(OutputFileTest, LeavesWhatWasThereIfItIsNotPublished) {
  put("a", "before");
  {
    auto file = OutputFile::create(at("a"));
    ASSERT_TRUE(file);
    EXPECT_EQ(file->write("half"), "");
    auto none = OutputFile::create(at("none"));
    ASSERT_TRUE(none);
  }
  EXPECT_EQ(text("a"), "before");
  EXPECT_EQ(files(), 1);
}

TEST_F(OutputFileTest, KeepsModesAndLinks) {
  put("a", "before");
  chmod(at("a").c_str(), 0640);
  fs::create_symlink("a", at("link"));
  fs::create_symlink("later", at("to nothing"));
  EXPECT_EQ(write_file(at("link"), "after"), "");
  EXPECT_EQ(write_file(at("to nothing"), "now"), "");
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_EQ(text("a"), "after");
  EXPECT_EQ(text("later"), "now");
  struct stat about {};
  ASSERT_EQ(stat(at("a").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 07777, 0640u);
}

TEST_F(OutputFileTest, WritesIntoAFifo) {
  ASSERT_EQ(mkfifo(at("fifo").c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] { got = text("fifo"); });
  EXPECT_EQ(write_file(at("fifo"), "through"), "");
  reader.join();
  EXPECT_EQ(got, "through");
  EXPECT_TRUE(fs::is_fifo(at("fifo")));
  EXPECT_EQ(files(), 1);
}

TEST_F(OutputFileTest, WritesIntoADescriptorThatIsNamed) {
  const int descriptor = open(at("a").c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_EQ(write(descriptor, "first, ", 7), 7);
  fs::create_symlink("/dev/fd/" + std::to_string(descriptor), at("link"));
  EXPECT_EQ(write_file("/dev/fd/" + std::to_string(descriptor), "second"), "");
  EXPECT_EQ(write_file(at("link"), ", third"), "");
  close(descriptor);
  EXPECT_EQ(text("a"), "first, second, third");
  EXPECT_NE(write_file("/dev/fd/" + std::to_string(descriptor), "nobody").find("Bad file descriptor"),
            std::string::npos);
}

TEST_F(OutputFileTest, SaysWhatItCannotDo) {
  fs::create_directory(at("folder"));
  EXPECT_EQ(write_file(at("folder"), ""), "cannot write '" + at("folder") + "': Is a directory");
  EXPECT_NE(write_file(at("no/file"), "").find("No such file or directory"), std::string::npos);
  put("a", "");
  EXPECT_NE(write_file(at("a/b"), "").find("Not a directory"), std::string::npos);
  EXPECT_EQ(files(), 2);
}

// A device of the test's own, if it may create one: without that permission it cannot harm the real one either.
TEST_F(OutputFileTest, WritesIntoADevice) {
  const std::string own = at("full");
  const bool made = mknod(own.c_str(), S_IFCHR | 0600, makedev(1, 7)) == 0;
  const std::string device = made ? own : "/dev/full";
  EXPECT_NE(write_file(device, "text").find("No space left on device"), std::string::npos);
  EXPECT_TRUE(fs::is_character_file(device));
  EXPECT_EQ(files(), made ? 1 : 0);
}

TEST(OpenUnnamed, LeavesNothingBehind) {
  const int descriptor = open_unnamed();
  ASSERT_GE(descriptor, 0);
  struct stat about {};
  ASSERT_EQ(fstat(descriptor, &about), 0);
  EXPECT_EQ(about.st_nlink, 0u);
  close(descriptor);
}

}  // namespace
}  // namespace heddle::output
