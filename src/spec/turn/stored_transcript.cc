// Transcripts as JSON.
//
// Version 1: {"v":1,"h":[[role, text, [[id, name, arguments, seal]...]?, call id?,
// [[kind, type, sha256, name]...]?]...],"c":[citations...]?,
// "g":[which assistant messages were generated...]?,"t":[their texts]?,"r":[their thoughts]?,"a":answer?,
// "s":system prompt, or 1: the first message?}. "t" is left out where it says what those messages say, "a"
// where it is the last of the generated texts, or the last assistant message if there is none. Longer than
// kPlainBytesMax it is a zstd frame of this text, unless the frame is so short that no reader would take it.
#include "spec/turn/stored_transcript.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "spec/exchange/reply_places.h"
#include "text/json/record.h"
#include "text/json/stored.h"
#include "text/object.h"
#include "text/packed/compress.h"

namespace assay {

namespace {

constexpr int kTranscriptVersion = 1;
constexpr std::size_t kPlainBytesMax = 600;
constexpr std::size_t kTranscriptBytesMax = 64u << 20;
constexpr std::size_t kAnyTranscriptBytes = 2u << 20;
constexpr std::size_t kTranscriptRatioMax = 256;

// What a frame of so many bytes may unpack to: with more, a store of kilobytes would take much memory.
std::size_t TextBytesMax(std::size_t frame_bytes) {
  return std::min(kTranscriptBytesMax, kAnyTranscriptBytes + kTranscriptRatioMax * frame_bytes);
}

Error CorruptTranscript(std::string_view what) {
  return {ErrorCode::kCorrupt, "the store is damaged: a stored transcript " + std::string(what)};
}

// The texts of the assistant's messages, in order.
std::vector<const std::string*> SaidBy(const std::vector<Message>& history) {
  std::vector<const std::string*> said;
  for (const Message& message : history) {
    if (message.role == Role::kAssistant) said.push_back(&message.text);
  }
  return said;
}

// The generated texts as the history has them; nothing where it does not have all of them, each once.
std::optional<std::vector<std::string>> GeneratedIn(const Transcript& transcript) {
  const std::vector<const std::string*> said = SaidBy(transcript.history);
  std::vector<std::string> texts;
  std::size_t next = 0;
  for (const std::uint32_t ordinal : transcript.generated_indices) {
    if (ordinal < next || ordinal >= said.size()) return std::nullopt;
    next = std::size_t{ordinal} + 1;
    texts.push_back(*said[ordinal]);
  }
  return texts;
}

std::string UsualAnswer(const Transcript& transcript) {
  if (!transcript.generated_texts.empty()) return transcript.generated_texts.back();
  const std::vector<const std::string*> said = SaidBy(transcript.history);
  return said.empty() ? std::string() : *said.back();
}

bool BeginsWithSystem(const Transcript& transcript) {
  return !transcript.history.empty() && transcript.history.front().role == Role::kSystem;
}

// Each with all of its members, also without a seal.
template <class T>
struct WholeCalls {
  T& value;
  bool IsUsual() const { return value.empty(); }
  void Append(std::string& out) const {
    out += '[';
    for (const ToolCall& call : value) {
      for (const std::string* part : {&call.id, &call.name, &call.arguments, &call.seal}) {
        out += part == &call.id ? out.back() == '[' ? "[" : ",[" : ",";
        AppendJsonString(*part, out);
      }
      out += ']';
    }
    out += ']';
  }
  bool Read(const Value& read) const { return record::Records{value}.Read(read); }
};

// Which assistant messages were generated.
template <class T>
struct Ordinals {
  static constexpr double kMost = 4'294'967'295;
  T& value;
  bool IsUsual() const { return value.empty(); }
  Value Stored() const { return ArrayOf(value); }
  bool Read(const Value& read) const {
    return read.is_list() &&
           std::all_of(read.AsList().begin(), read.AsList().end(), [this](const Value& each) {
             return record::Whole{value.emplace_back(), kMost}.Read(each);
           });
  }
};

}  // namespace

namespace record {

template <>
struct PlacesOf<MediaPart> {
  template <class Part, class Visitor>
  static void Visit(Part& part, Visitor&& visit) {
    visit.Needed(Whole{part.kind, static_cast<double>(kLastMediaKind)}, Text{part.type}, Text{part.sha256},
                 Text{part.name});
  }
};

template <>
struct PlacesOf<Message> {
  template <class Message, class Visitor>
  static void Visit(Message& message, Visitor&& visit) {
    visit.Needed(Whole{message.role, static_cast<double>(Role::kTool)}, Text{message.text});
    visit(WholeCalls{message.calls}, Text{message.call_id});
    visit(Records{message.media});
  }
};

}  // namespace record

namespace {

template <class Transcript, class Visitor>
void VisitHistory(Transcript& said, Visitor&& visit) {
  visit.Always("h", record::Records{said.history});
  visit("g", Ordinals{said.generated_indices});
}
template <class Transcript, class Visitor>
void VisitFound(Transcript& said, Visitor&& visit) {
  visit("r", record::Texts{said.generated_reasoning});
  visit("c", record::Items{said.citations});
}

Result<std::string> TextOfTranscript(std::string_view bytes) {
  if (bytes.starts_with('{')) return std::string(bytes);
  Result<std::string> text = Decompress(bytes, TextBytesMax(bytes.size()));
  if (!text) return CorruptTranscript("cannot be made whole: " + text.error().message);
  return text;
}

Status ReadSaid(const Value& map, Transcript& said) {
  record::MemberReader reader(map);
  VisitHistory(said, reader);
  if (!reader.good()) return CorruptTranscript("has a message that is none");
  if (map.Find("t") == nullptr) {
    std::optional<std::vector<std::string>> generated = GeneratedIn(said);
    if (!generated) return CorruptTranscript("generated a message that it does not have");
    said.generated_texts = *std::move(generated);
  }
  reader("t", record::Texts{said.generated_texts});
  VisitFound(said, reader);
  if (map.Find("a") == nullptr) said.answer = UsualAnswer(said);
  reader("a", record::Text{said.answer});
  if (const Value* system = map.Find("s");
      system != nullptr && system->is_number() && BeginsWithSystem(said)) {
    said.system = said.history.front().text;
  } else if (system != nullptr) {
    reader("s", record::Text{said.system.emplace()});
  }
  return reader.good() ? Ok() : Status(CorruptTranscript("has a text that is none"));
}

}  // namespace

std::string EncodeTranscript(const Transcript& transcript) {
  std::string text = fmt::format("{{\"v\":{}", kTranscriptVersion);
  record::MemberWriter writer(text);
  VisitHistory(transcript, writer);
  if (GeneratedIn(transcript) != transcript.generated_texts)
    writer.Always("t", record::Texts{transcript.generated_texts});
  VisitFound(transcript, writer);
  if (transcript.answer != UsualAnswer(transcript)) writer.Always("a", record::Text{transcript.answer});
  if (transcript.system) {
    const bool is_first =
        BeginsWithSystem(transcript) && transcript.history.front().text == *transcript.system;
    if (is_first) text += ",\"s\":1";
    if (!is_first) writer.Always("s", record::Text{*transcript.system});
  }
  text += '}';
  if (text.size() <= kPlainBytesMax) return text;
  Compressor compressor;
  compressor.Append(text);
  std::string frame = compressor.Finish();
  return text.size() <= TextBytesMax(frame.size()) ? frame : text;
}

Status DecodeTranscript(std::string_view bytes, Transcript& transcript) {
  ASSAY_TRY(const std::string text, TextOfTranscript(bytes));
  const Result<Value> map = ParseStoredIn(bytes.size(), text);
  if (!map || !map->is_map()) return CorruptTranscript("is no JSON object");
  const std::optional<double> version = map->NumberAt("v");
  if (!version) return CorruptTranscript("has no version");
  if (*version > kTranscriptVersion)
    return Error{ErrorCode::kUnsupported, "a stored transcript was written by a newer assay"};
  Transcript said;
  ASSAY_CHECK_OK(ReadSaid(*map, said));
  transcript.history = std::move(said.history);
  transcript.generated_indices = std::move(said.generated_indices);
  transcript.generated_texts = std::move(said.generated_texts);
  transcript.generated_reasoning = std::move(said.generated_reasoning);
  transcript.citations = std::move(said.citations);
  transcript.answer = std::move(said.answer);
  transcript.system = std::move(said.system);
  return Ok();
}

}  // namespace assay
