// Transcripts as JSON.
//
// Version 1: {"v":1,"h":[[role, text, [[id, name, arguments, seal]...]?, call id?,
// [[kind, type, sha256, name]...]?]...],"c":[citations...]?,
// "g":[which assistant messages were generated...]?,"t":[their texts]?,"r":[their thoughts]?,"a":answer?,
// "s":system prompt, or 1: the first message?}. "t" is left out where it says what those messages say, "a"
// where it is the last of the generated texts, or the last assistant message if there is none. Longer than
// kPlainBytesMax it is a zstd frame of this text, unless the frame is so short that no reader would take it.
#include "spec/turn/stored_transcript.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "text/json/json.h"
#include "text/json/stored.h"
#include "text/object.h"
#include "text/packed/compress.h"

namespace assay {

namespace {

constexpr double kTranscriptVersion = 1;
constexpr std::size_t kPlainBytesMax = 600;
constexpr std::size_t kTranscriptBytesMax = 64u << 20;
constexpr std::size_t kAnyTranscriptBytes = 2u << 20;
constexpr std::size_t kTranscriptRatioMax = 256;
constexpr double kOrdinalsMax = 4'294'967'295;

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

Value MessageValue(const Message& message) {
  List parts{Value(static_cast<double>(message.role)), Value(message.text)};
  if (message.calls.empty() && message.call_id.empty() && message.media.empty()) return parts;
  parts.emplace_back(ArrayOf(message.calls, [&](const ToolCall& call) {
    return List{Value(call.id), Value(call.name), Value(call.arguments), Value(call.seal)};
  }));
  parts.emplace_back(message.call_id);
  if (message.media.empty()) return parts;
  parts.emplace_back(ArrayOf(message.media, [&](const MediaPart& part) {
    return List{Value(static_cast<double>(part.kind)), Value(part.type), Value(part.sha256),
                Value(part.name)};
  }));
  return parts;
}

// Reads what a store says, which may be anything; the first part that cannot be spoils the whole.
class TranscriptReader {
 public:
  bool good() const { return good_; }

  std::string Text(const Value& value) {
    good_ = good_ && value.is_string();
    return value.is_string() ? value.AsString() : std::string();
  }
  std::uint32_t Number(const Value& value, double most) {
    const double number = value.is_number() ? value.AsNumber() : -1;
    good_ = good_ && number >= 0 && number <= most && number == static_cast<std::uint32_t>(number);
    return good_ ? static_cast<std::uint32_t>(number) : 0;
  }
  const List& Items(const Value& value) {
    static const List kNone;
    good_ = good_ && value.is_list();
    return value.is_list() ? value.AsList() : kNone;
  }
  std::vector<std::string> Texts(const Value& value) {
    std::vector<std::string> texts;
    for (const Value& item : Items(value)) texts.push_back(Text(item));
    return texts;
  }
  ToolCall Call(const Value& value) {
    const List& parts = Items(value);
    good_ = good_ && parts.size() == 4;
    if (!good_) return {};
    return {Text(parts[0]), Text(parts[1]), Text(parts[2]), Text(parts[3])};
  }
  MediaPart Part(const Value& value) {
    const List& parts = Items(value);
    good_ = good_ && parts.size() == 4;
    if (!good_) return {};
    MediaPart part;
    part.kind = static_cast<MediaKind>(Number(parts[0], static_cast<double>(kLastMediaKind)));
    part.type = Text(parts[1]);
    part.sha256 = Text(parts[2]);
    part.name = Text(parts[3]);
    return part;
  }
  Message MessageOf(const Value& value) {
    const List& parts = Items(value);
    good_ = good_ && (parts.size() == 2 || parts.size() == 4 || parts.size() == 5);
    if (!good_) return {};
    Message message{static_cast<Role>(Number(parts[0], static_cast<double>(Role::kTool))), Text(parts[1])};
    if (parts.size() == 2) return message;
    for (const Value& call : Items(parts[2])) message.calls.push_back(Call(call));
    message.call_id = Text(parts[3]);
    if (parts.size() == 4) return message;
    for (const Value& part : Items(parts[4])) message.media.push_back(Part(part));
    return message;
  }

 private:
  bool good_ = true;
};

Result<std::string> TextOfTranscript(std::string_view bytes) {
  if (bytes.starts_with('{')) return std::string(bytes);
  Result<std::string> text = Decompress(bytes, TextBytesMax(bytes.size()));
  if (!text) return CorruptTranscript("cannot be made whole: " + text.error().message);
  return text;
}

Status ReadSaid(const Value& map, Transcript& said) {
  TranscriptReader reader;
  if (const Value* history = map.Find("h")) {
    for (const Value& message : reader.Items(*history)) said.history.push_back(reader.MessageOf(message));
  }
  if (const Value* ordinals = map.Find("g")) {
    for (const Value& ordinal : reader.Items(*ordinals))
      said.generated_indices.push_back(reader.Number(ordinal, kOrdinalsMax));
  }
  if (!reader.good()) return CorruptTranscript("has a message that is none");
  if (const Value* texts = map.Find("t")) {
    said.generated_texts = reader.Texts(*texts);
  } else if (std::optional<std::vector<std::string>> generated = GeneratedIn(said)) {
    said.generated_texts = *std::move(generated);
  } else {
    return CorruptTranscript("generated a message that it does not have");
  }
  if (const Value* thoughts = map.Find("r")) said.generated_reasoning = reader.Texts(*thoughts);
  if (const Value* citations = map.Find("c")) said.citations = reader.Items(*citations);
  const Value* answer = map.Find("a");
  said.answer = answer != nullptr ? reader.Text(*answer) : UsualAnswer(said);
  if (const Value* system = map.Find("s")) {
    const bool is_first = system->is_number() && BeginsWithSystem(said);
    said.system = is_first ? said.history.front().text : reader.Text(*system);
  }
  return reader.good() ? Ok() : Status(CorruptTranscript("has a text that is none"));
}

}  // namespace

std::string EncodeTranscript(const Transcript& transcript) {
  Map map = Object{{"v", kTranscriptVersion}, {"h", ArrayOf(transcript.history, MessageValue)}};
  List ordinals = ArrayOf(transcript.generated_indices);
  if (!ordinals.empty()) map.Append("g", std::move(ordinals));
  const std::vector<std::string>& texts = transcript.generated_texts;
  if (GeneratedIn(transcript) != texts) map.Append("t", ArrayOf(texts));
  const std::vector<std::string>& thoughts = transcript.generated_reasoning;
  Extend(map, {{"r", UnlessEmpty(ArrayOf(thoughts))},
               {"c", UnlessEmpty(transcript.citations)},
               {"a", When(transcript.answer != UsualAnswer(transcript), transcript.answer)}});
  if (transcript.system) {
    const bool is_first =
        BeginsWithSystem(transcript) && transcript.history.front().text == *transcript.system;
    map.Append("s", is_first ? Value(1.0) : Value(*transcript.system));
  }
  std::string text = WriteJson(Value(std::move(map)), JsonStyle::kJavaScript);
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
