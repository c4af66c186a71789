// Retelling: the functions by which report/ asks others for what a run's rows do not say: the words of an
// attempt that stored exchanges alone (plan/answers/retelling.h), and prices.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "spec/exchange/exchange.h"
#include "spec/run/step.h"

namespace assay {

// An attempt of which the store keeps the exchanges alone.
struct RetoldAnswer {
  Transcript transcript;
  bool is_whole = true;  // false: another version made it, and its last reply is all that is sure
};

struct Retelling {
  // What was said in the attempt whose answering step used these exchanges; `stored` is what its scores say
  // of it. Null: nothing is told of words that are not stored.
  using AnswerTeller = std::function<Result<RetoldAnswer>(
      const StepContext& context, std::span<const Exchange> so_far, const Transcript& stored)>;
  AnswerTeller answer = {};
  // US dollars for what a model used, at this part of its list price. Null: no price is known.
  using PriceTeller =
      std::function<std::optional<double>(const ModelRef& model, const Usage& usage, double price_factor)>;
  PriceTeller price = {};
};

}  // namespace assay
