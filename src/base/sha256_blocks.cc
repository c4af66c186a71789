// SHA-256 compression, FIPS 180-4 section 6.2.2. The portable form is compiled a second time for processors
// with BMI2, which rotate without a copy: half again as fast. A third form uses the x86 SHA extensions, four
// rounds at a time.
#include "base/sha256_blocks.h"

#include <bit>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace assay {

namespace {

alignas(16) constexpr std::array<std::uint32_t, 64> kRound = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t BigEndian(const std::uint8_t* bytes) {
  return (std::uint32_t{bytes[0]} << 24) | (std::uint32_t{bytes[1]} << 16) | (std::uint32_t{bytes[2]} << 8) |
         std::uint32_t{bytes[3]};
}

// Sixteen rounds at a time over a schedule of the last sixteen words. A round stores its new word in the
// place of the oldest one, so that no word moves; the places are constants once the loops are unrolled.
[[gnu::always_inline]] inline void MixBlocks(Sha256State& state, const std::uint8_t* blocks,
                                             std::size_t count) {
  for (; count > 0; --count, blocks += kSha256BlockBytes) {
    Sha256State s = state;
    std::array<std::uint32_t, 16> w;
#pragma GCC unroll 4
    for (std::size_t first = 0; first < 64; first += 16) {
#pragma GCC unroll 16
      for (std::size_t i = 0; i < 16; ++i) {
        if (first == 0) {
          w[i] = BigEndian(blocks + 4 * i);
        } else {
          const std::uint32_t next = w[(i + 1) % 16];
          const std::uint32_t last = w[(i + 14) % 16];
          w[i] += (std::rotr(next, 7) ^ std::rotr(next, 18) ^ (next >> 3)) + w[(i + 9) % 16] +
                  (std::rotr(last, 17) ^ std::rotr(last, 19) ^ (last >> 10));
        }
        const auto at = [&s, i](std::size_t place) -> std::uint32_t& { return s[(place + 16 - i) % 8]; };
        const std::uint32_t a = at(0);
        const std::uint32_t e = at(4);
        const std::uint32_t sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
        const std::uint32_t t1 = at(7) + sum1 + (at(6) ^ (e & (at(5) ^ at(6)))) + kRound[first + i] + w[i];
        const std::uint32_t sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
        at(3) += t1;
        at(7) = t1 + sum0 + ((a & at(1)) | (at(2) & (a | at(1))));
      }
    }
    for (std::size_t i = 0; i < state.size(); ++i) state[i] += s[i];
  }
}

void MixAnywhere(Sha256State& state, const std::uint8_t* blocks, std::size_t count) {
  MixBlocks(state, blocks, count);
}

#if defined(__x86_64__)

__attribute__((target("bmi,bmi2"))) void MixWithBmi2(Sha256State& state, const std::uint8_t* blocks,
                                                     std::size_t count) {
  MixBlocks(state, blocks, count);
}

bool HasShaInstructions() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) == 0 || (ebx & (1u << 29)) == 0) return false;
  constexpr unsigned kSsse3AndSse41 = (1u << 9) | (1u << 19);
  return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & kSsse3AndSse41) == kSsse3AndSse41;
}

__attribute__((target("sha,sse4.1,ssse3"))) void MixWithSha(Sha256State& state, const std::uint8_t* blocks,
                                                            std::size_t count) {
  const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0bll, 0x0405060700010203ll);
  // The instructions want the state as ABEF and CDGH, highest word first.
  const __m128i dcba = _mm_loadu_si128(reinterpret_cast<const __m128i*>(state.data()));
  const __m128i hgfe = _mm_loadu_si128(reinterpret_cast<const __m128i*>(state.data() + 4));
  const __m128i cdab = _mm_shuffle_epi32(dcba, 0xb1);
  const __m128i efgh = _mm_shuffle_epi32(hgfe, 0x1b);
  __m128i abef = _mm_alignr_epi8(cdab, efgh, 8);
  __m128i cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);

  for (; count > 0; --count, blocks += kSha256BlockBytes) {
    const __m128i abef_before = abef;
    const __m128i cdgh_before = cdgh;
    __m128i w[4];  // the schedule's last sixteen words
    for (std::size_t i = 0; i < 4; ++i) {
      w[i] = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(blocks) + i), swap);
    }
#pragma GCC unroll 16
    for (std::size_t group = 0; group < 16; ++group) {
      const __m128i current = w[group % 4];
      const __m128i constants = _mm_load_si128(reinterpret_cast<const __m128i*>(kRound.data() + 4 * group));
      const __m128i added = _mm_add_epi32(current, constants);
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, added);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(added, 0x0e));
      if (group >= 12) continue;
      const __m128i last = w[(group + 3) % 4];
      const __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(current, w[(group + 1) % 4]),
                                        _mm_alignr_epi8(last, w[(group + 2) % 4], 4));
      w[group % 4] = _mm_sha256msg2_epu32(sum, last);
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }

  const __m128i feba = _mm_shuffle_epi32(abef, 0x1b);
  const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state.data()), _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state.data() + 4), _mm_alignr_epi8(dchg, feba, 8));
}

#endif

}  // namespace

std::span<const Sha256Form> Sha256Forms() {
  static const std::array kForms = {
#if defined(__x86_64__)
    Sha256Form{"SHA extensions", HasShaInstructions(), MixWithSha},
    Sha256Form{"BMI2", __builtin_cpu_supports("bmi") != 0 && __builtin_cpu_supports("bmi2") != 0,
               MixWithBmi2},
#endif
    Sha256Form{"portable", true, MixAnywhere},
  };
  return kForms;
}

}  // namespace assay
