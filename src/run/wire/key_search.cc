// Searches a text for keys in up to three readings: with all escapes but those of mail, with those too if it
// has "=", and as it is if that differs. A window of eight bytes for each encoding runs over each reading;
// where it equals the end of a key, the bytes before it are compared.
#include "run/wire/key_search.h"

#include <algorithm>
#include <bit>

#include "base/text/utf8.h"
#include "run/wire/spelling.h"
#include "text/packed/base64.h"

namespace assay {

namespace {

using Part = KeySearch::Part;
using Alphabet = std::array<char, 256>;  // what a byte counts as

constexpr char kSkipped = 1;  // stands between digits without parting them
constexpr char kOther = 0;    // is no digit, and parts them

std::uint64_t TailOf(std::string_view bytes) {
  std::uint64_t tail = 0;
  for (const char c : bytes.substr(bytes.size() - 8)) tail = tail << 8 | static_cast<unsigned char>(c);
  return tail;
}

constexpr Alphabet MakeAlphabet(std::string_view digits, std::string_view count_as,
                                std::string_view skipped) {
  Alphabet alphabet{};
  for (std::size_t i = 0; i < digits.size(); ++i)
    alphabet[static_cast<unsigned char>(digits[i])] = count_as[i];
  for (const char c : skipped) alphabet[static_cast<unsigned char>(c)] = kSkipped;
  return alphabet;
}

constexpr Alphabet kHexDigits =
    MakeAlphabet("0123456789abcdefABCDEF", "0123456789abcdefabcdef", " \t\r\n:-_");
constexpr Alphabet kBase64Digits =
    MakeAlphabet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_",
                 "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/+/", " \t\r\n");

// A part that overlaps the last ones swallows them.
void AddPart(Part part, std::vector<Part>& parts) {
  while (!parts.empty() && parts.back().end > part.begin) {
    part.begin = std::min(part.begin, parts.back().begin);
    part.end = std::max(part.end, parts.back().end);
    parts.pop_back();
  }
  parts.push_back(part);
}

// The latest eight bytes that were read, with whether a key may end in them.
class Window {
 public:
  explicit Window(const Needles& needles) : needles_(needles) {}

  bool Push(char byte) {
    latest_ = latest_ << 8 | static_cast<unsigned char>(byte);
    return needles_.MayEnd(latest_);
  }
  // Whether a digit counts: what stands between two does not, and of what parts them the first.
  bool Counts(char digit) const {
    return digit != kSkipped && (digit != kOther || (latest_ & 0xff) != kOther);
  }
  std::span<const Needles::Needle> ended() const { return needles_.EndingIn(latest_); }

 private:
  const Needles& needles_;
  std::uint64_t latest_ = 0;
};

// The latest eight digits, where it does not matter how many others part them.
std::uint64_t WithDigit(std::uint64_t latest, const Alphabet& alphabet, char byte) {
  const char digit = alphabet[static_cast<unsigned char>(byte)];
  return digit == kSkipped ? latest : latest << 8 | static_cast<unsigned char>(digit);
}

bool EndsIn(const Needles& needles, std::uint64_t latest) {
  return needles.MayEnd(latest) && !needles.EndingIn(latest).empty();
}

// The latest bytes that were read, as many as the longest needle has, and where in the text each begins.
class Stream {
 public:
  explicit Stream(const Needles& needles)
      : window_(needles),
        mask_(std::bit_ceil(needles.longest_bytes() + 1) - 1),  // one more than a needle has
        latest_(mask_ + 1) {}

  void Push(char byte, Part place) {
    latest_[size_++ & mask_] = {place.begin, byte};
    if (window_.Push(byte)) Compare(place.end);
  }
  void PushDigit(const Alphabet& alphabet, char byte, Part place) {
    const char digit = alphabet[static_cast<unsigned char>(byte)];
    if (ends_ != Ends::kDone) EndPart(digit, byte, place);
    if (window_.Counts(digit)) Push(digit, place);
  }

  const std::vector<Part>& parts() const { return parts_; }
  std::size_t steps() const { return size_ + compared_; }

 private:
  struct Latest {
    std::size_t begin = 0;
    char byte = 0;
  };

  // What of a part is still to come: its last digit, or what fills up its last four.
  enum class Ends { kDone, kDigit, kPadding };

  // A part's last digit has fewer bits of the key than others, and "=" may stand behind it.
  void EndPart(char digit, char byte, Part place) {
    if (digit == kSkipped) return;
    const bool is_more = digit != kOther ? ends_ == Ends::kDigit : byte == '=';
    ends_ = is_more ? Ends::kPadding : Ends::kDone;
    if (is_more) parts_.back().end = place.end;
  }

  void Compare(std::size_t end) {
    for (const Needles::Needle& needle : window_.ended()) {
      const std::string_view bytes = needle.bytes.Reveal();
      if (bytes.size() > size_) continue;
      std::size_t left = bytes.size() - 8;
      const std::size_t begin = size_ - bytes.size();
      while (left > 0 && latest_[(begin + left - 1) & mask_].byte == bytes[left - 1]) --left;
      compared_ += bytes.size() - left;
      if (left != 0) continue;
      const bool is_wider = needle.edges.before && begin > 0 && latest_[(begin - 1) & mask_].byte != kOther;
      AddPart({latest_[(is_wider ? begin - 1 : begin) & mask_].begin, end}, parts_);
      if (needle.edges.after) ends_ = Ends::kDigit;
    }
  }

  Window window_;
  std::size_t mask_;
  std::vector<Latest> latest_;
  std::size_t size_ = 0;  // bytes pushed
  std::size_t compared_ = 0;
  Ends ends_ = Ends::kDone;
  std::vector<Part> parts_;
};

// Tells each byte that the text says, and where it stands. Returns whether all stand there as they are.
template <class Push>
bool Read(std::string_view text, Escapes escapes, const Push& push) {
  bool is_plain = true;
  std::string utf8;
  for (std::size_t at = 0; at < text.size();) {
    if (escapes == Escapes::kNone || IsItself(text[at])) {
      push(text[at], {at, at + 1});
      ++at;
      continue;
    }
    const Spelled spelled = SpelledAt(text, at, escapes);
    const Part place = {at, at + spelled.size_bytes};
    const bool is_itself = spelled.size_bytes == 1 || static_cast<unsigned char>(text[at]) >= 0x80;
    is_plain = is_plain && is_itself && spelled.kind != Spelled::Kind::kNothing;
    at = place.end;
    if (spelled.kind == Spelled::Kind::kNothing) continue;
    if (spelled.kind == Spelled::Kind::kByte || spelled.character < 0x80) {
      push(static_cast<char>(spelled.character), place);
      continue;
    }
    utf8.clear();
    AppendUtf8(spelled.character, utf8);
    for (const char c : utf8) push(c, place);
  }
  return is_plain;
}

std::string Unescaped(std::string_view text, Escapes escapes) {
  std::string bytes;
  Read(text, escapes, [&](char byte, Part) { bytes += byte; });
  return bytes;
}

// What base64 makes of `value` wherever it stands in a longer text: the digits that no neighbour changes.
std::string InnerBase64(std::string_view value, std::size_t offset) {
  const std::string padded(offset, '\0');
  const std::string all = EncodeBase64(padded + std::string(value));
  const std::size_t begin = offset == 0 ? 0 : offset + 1;
  const std::size_t whole_bits = (offset + value.size()) * 8;
  return all.substr(begin, whole_bits / 6 - begin);
}

std::string HexOf(std::string_view bytes) {
  std::string hex;
  for (const char c : bytes) {
    hex += "0123456789abcdef"[static_cast<unsigned char>(c) >> 4];
    hex += "0123456789abcdef"[static_cast<unsigned char>(c) & 15];
  }
  return hex;
}

}  // namespace

void Needles::Add(std::string bytes, Edges edges) {
  if (bytes.size() < 8) return;
  const std::uint64_t tail = TailOf(bytes);
  const auto behind = [](std::uint64_t t, const Needle& needle) { return t < needle.tail; };
  const auto place = std::upper_bound(needles_.begin(), needles_.end(), tail, behind);
  for (auto same = place; same != needles_.begin() && (--same)->tail == tail;) {
    if (same->bytes.Reveal() == bytes && same->edges == edges) return;
  }
  ends_[Slot(tail) >> 6] |= std::uint64_t{1} << (Slot(tail) & 63);
  longest_bytes_ = std::max(longest_bytes_, bytes.size());
  needles_.insert(place, {tail, Secret(std::move(bytes)), edges});
}

bool Needles::MayEndIn(char last) const {
  return std::ranges::any_of(needles_, [last](const Needle& needle) {
    return (needle.tail & 0xff) == static_cast<unsigned char>(last);
  });
}

std::span<const Needles::Needle> Needles::EndingIn(std::uint64_t tail) const {
  const auto same = std::ranges::equal_range(needles_, tail, {}, &Needle::tail);
  return {same.begin(), same.end()};
}

void KeySearch::Add(std::string_view key) {
  if (key.size() < kSecretBytesMin) return;
  keys_.Add(std::string(key));
  // What is read of a key that looks as if it held escapes.
  for (const Escapes escapes : {Escapes::kAllButMail, Escapes::kAll}) keys_.Add(Unescaped(key, escapes));
  hex_.Add(HexOf(key));
  for (std::size_t offset = 0; offset < 3; ++offset)
    base64_.Add(InnerBase64(key, offset),
                {.before = offset > 0, .after = (offset + key.size()) * 8 % 6 != 0});
  for (std::size_t byte = 0; byte < may_end_.size(); ++byte) {
    may_end_[byte] = keys_.MayEndIn(static_cast<char>(byte)) || hex_.MayEndIn(kHexDigits[byte]) ||
                     base64_.MayEndIn(kBase64Digits[byte]);
  }
}

KeySearch::Found KeySearch::In(std::string_view text) const {
  Found found;
  if (empty() || text.size() < kSecretBytesMin) return found;
  const auto read = [&](Escapes escapes) {
    // Most texts hold no key, and to know that no places need be kept: no last eight bytes are there.
    std::uint64_t key_end = 0;
    std::uint64_t hex_end = 0;
    std::uint64_t base64_end = 0;
    bool may_hold_key = false;
    const bool is_as_written = Read(text, escapes, [&](char byte, Part) {
      key_end = key_end << 8 | static_cast<unsigned char>(byte);
      hex_end = WithDigit(hex_end, kHexDigits, byte);
      base64_end = WithDigit(base64_end, kBase64Digits, byte);
      if (!may_end_[static_cast<unsigned char>(byte)]) return;
      may_hold_key = may_hold_key || EndsIn(keys_, key_end) || EndsIn(hex_, hex_end) ||
                     EndsIn(base64_, base64_end);
    });
    found.steps += text.size();
    if (!may_hold_key) return is_as_written;
    Stream keys(keys_);
    Stream hex(hex_);
    Stream base64(base64_);
    Read(text, escapes, [&](char byte, Part place) {
      keys.Push(byte, place);
      hex.PushDigit(kHexDigits, byte, place);
      base64.PushDigit(kBase64Digits, byte, place);
    });
    for (const Stream* stream : {&keys, &hex, &base64}) {
      found.steps += stream->steps();
      found.parts.insert(found.parts.end(), stream->parts().begin(), stream->parts().end());
    }
    return is_as_written;
  };
  const bool is_plain = read(Escapes::kAllButMail);
  const bool may_be_mail = text.find('=') != std::string_view::npos;
  if (may_be_mail) read(Escapes::kAll);
  if (may_be_mail || !is_plain) read(Escapes::kNone);
  std::vector<Part> apart;
  std::sort(found.parts.begin(), found.parts.end(), [](Part a, Part b) { return a.begin < b.begin; });
  for (const Part part : found.parts) AddPart(part, apart);
  found.parts = std::move(apart);
  return found;
}

}  // namespace assay
