// Which models take pictures, documents and sound, from the makers' model pages, where these say so; the day
// is that of the table of models. A model in no row may take anything: its service says.
#include <iterator>

#include "providers/facts/model_facts.h"
#include "providers/facts/model_kinds.h"

namespace assay {

namespace {

constexpr MediaKinds kTakesNothing = {};
constexpr MediaKinds kTakesImages = {.image = true};
constexpr MediaKinds kTakesImagesAndPdf = {.image = true, .pdf = true};
constexpr MediaKinds kTakesAll = {.image = true, .pdf = true, .audio = true};

struct TakesRow {
  std::string_view provider;
  std::string_view model;  // an id, or the start of ids, ended by '*'
  MediaKinds takes;
};

constexpr TakesRow kTakesRows[] = {
    {"anthropic", "claude-*", kTakesImagesAndPdf},
    {"anthropic", "claude-3-haiku*", kTakesImages},
    {"anthropic", "claude-3-opus*", kTakesImages},

    {"cerebras", "gpt-oss-*", kTakesNothing},
    {"cerebras", "llama*", kTakesNothing},

    {"cohere", "command-a-03-2025", kTakesNothing},
    {"cohere", "command-r*", kTakesNothing},

    {"deepseek", "deepseek-chat", kTakesNothing},
    {"deepseek", "deepseek-reasoner", kTakesNothing},

    {"google", "gemini-*", kTakesAll},

    {"groq", "llama-3*", kTakesNothing},
    {"groq", "openai/gpt-oss-*", kTakesNothing},

    {"mistral", "codestral*", kTakesNothing},
    {"mistral", "mistral-large-24*", kTakesNothing},

    {"openai", "gpt-3.5*", kTakesNothing},
    {"openai", "gpt-4", kTakesNothing},
    {"openai", "gpt-4-0613", kTakesNothing},
    {"openai", "gpt-4.1*", kTakesImagesAndPdf},
    {"openai", "gpt-4o*", kTakesImagesAndPdf},
    {"openai", "gpt-5*", kTakesImagesAndPdf},
    {"openai", "o1*", kTakesImagesAndPdf},
    {"openai", "o1-mini*", kTakesNothing},
    {"openai", "o3*", kTakesImagesAndPdf},
    {"openai", "o3-mini*", kTakesNothing},
    {"openai", "o4-mini*", kTakesImagesAndPdf},

    {"together", "meta-llama/Llama-3*", kTakesNothing},
    {"together", "meta-llama/Meta-Llama-3*", kTakesNothing},
    {"together", "openai/gpt-oss-*", kTakesNothing},

    {"xai", "grok-3*", kTakesNothing},
};

}  // namespace

std::optional<MediaKinds> FindMediaTaken(std::string_view provider, std::string_view model) {
  if (!OtherKindIn(model).empty()) return std::nullopt;  // made for pictures or sound, by its name
  const TakesRow* best = nullptr;
  for (const TakesRow& row : kTakesRows) {
    if (row.provider != provider || !FitsName(row.model, model)) continue;
    if (best == nullptr || IsNarrower(row.model, best->model)) best = &row;
  }
  return best == nullptr ? std::nullopt : std::optional(best->takes);
}

}  // namespace assay
