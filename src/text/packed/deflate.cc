// Packs by zlib, at a level that costs little time.
#include "text/packed/deflate.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>

#include "base/errors/assert.h"

namespace assay {

class Deflater::Stream {
 public:
  Stream() {
    constexpr int kLevel = 3;  // pages are written at the end of every run
    ASSAY_ASSERT(deflateInit(&zlib_, kLevel) == Z_OK);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { deflateEnd(&zlib_); }

  void Add(std::string_view bytes) {
    while (!bytes.empty()) {  // it counts no more than this at once
      const std::size_t next = std::min<std::size_t>(bytes.size(), std::numeric_limits<uInt>::max());
      zlib_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
      zlib_.avail_in = static_cast<uInt>(next);
      bytes.remove_prefix(next);
      while (zlib_.avail_in > 0) Pack(Z_NO_FLUSH);
    }
  }

  std::string Finish() {
    while (Pack(Z_FINISH) != Z_STREAM_END) {
    }
    return std::move(packed_);
  }

 private:
  int Pack(int flush) {
    zlib_.next_out = piece_.data();
    zlib_.avail_out = static_cast<uInt>(piece_.size());
    const int done = deflate(&zlib_, flush);
    ASSAY_ASSERT(done == Z_OK || done == Z_STREAM_END);
    packed_.append(reinterpret_cast<const char*>(piece_.data()), piece_.size() - zlib_.avail_out);
    return done;
  }

  z_stream zlib_{};
  std::array<Bytef, 64u << 10> piece_;
  std::string packed_;
};

Deflater::Deflater() : stream_(std::make_unique<Stream>()) {}
Deflater::~Deflater() = default;
void Deflater::Add(std::string_view bytes) { stream_->Add(bytes); }
std::string Deflater::Finish() { return stream_->Finish(); }

std::string Deflated(std::string_view bytes) {
  Deflater deflater;
  deflater.Add(bytes);
  return deflater.Finish();
}

}  // namespace assay
