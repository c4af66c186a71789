// The table of prices and the look-up.
#include "providers/price.h"

#include <algorithm>
#include <cmath>

namespace assay {

namespace {

// clang-format off
constexpr PriceRow kRows[] = {
    {"anthropic", "claude-3-5-haiku*",       {.input_usd = 0.80, .output_usd = 4}},
    {"anthropic", "claude-3-5-sonnet*",      {.input_usd = 3, .output_usd = 15}},
    {"anthropic", "claude-3-7-sonnet*",      {.input_usd = 3, .output_usd = 15}},
    {"anthropic", "claude-3-haiku*",         {.input_usd = 0.25, .output_usd = 1.25}},
    {"anthropic", "claude-3-opus*",          {.input_usd = 15, .output_usd = 75}},
    {"anthropic", "claude-3.5-haiku*",       {.input_usd = 0.80, .output_usd = 4}},
    {"anthropic", "claude-3.5-sonnet*",      {.input_usd = 3, .output_usd = 15}},
    {"anthropic", "claude-3.7-sonnet*",      {.input_usd = 3, .output_usd = 15}},
    {"anthropic", "claude-haiku-4-5*",       {.input_usd = 1, .output_usd = 5}},
    {"anthropic", "claude-haiku-4.5*",       {.input_usd = 1, .output_usd = 5}},
    {"anthropic", "claude-opus-4",           {.input_usd = 15, .output_usd = 75}},
    {"anthropic", "claude-opus-4-0",         {.input_usd = 15, .output_usd = 75}},
    {"anthropic", "claude-opus-4-1*",        {.input_usd = 15, .output_usd = 75}},
    {"anthropic", "claude-opus-4-2025*",     {.input_usd = 15, .output_usd = 75}},
    {"anthropic", "claude-opus-4.1*",        {.input_usd = 15, .output_usd = 75}},
    {"anthropic", "claude-sonnet-4",         {.input_usd = 3, .output_usd = 15}},
    {"anthropic", "claude-sonnet-4-0",       {.input_usd = 3, .output_usd = 15}},
    {"anthropic", "claude-sonnet-4-2025*",   {.input_usd = 3, .output_usd = 15}},
    {"anthropic", "claude-sonnet-4-5*",      {.input_usd = 3, .output_usd = 15}},
    {"anthropic", "claude-sonnet-4.5*",      {.input_usd = 3, .output_usd = 15}},
    {"echo",      "*",                     {}},
    {"google",    "gemini-2.0-flash*",     {.input_usd = 0.10, .output_usd = 0.40}},
    {"google",    "gemini-2.0-flash-lite*", {.input_usd = 0.075, .output_usd = 0.30}},
    {"google",    "gemini-2.5-flash*",     {.input_usd = 0.30, .output_usd = 2.50}},
    {"google",    "gemini-2.5-flash-lite*", {.input_usd = 0.10, .output_usd = 0.40}},
    {"google",    "gemini-2.5-pro*",       {.input_usd = 1.25, .output_usd = 10, .long_above_tokens = 200'000,
                                            .long_input_usd = 2.50, .long_output_usd = 15}},
    {"groq",      "llama-3.1-8b-instant",  {.input_usd = 0.05, .output_usd = 0.08}},
    {"groq",      "llama-3.3-70b-versatile", {.input_usd = 0.59, .output_usd = 0.79}},
    {"mistral",   "codestral*",            {.input_usd = 0.30, .output_usd = 0.90}},
    {"mistral",   "mistral-large*",        {.input_usd = 2,    .output_usd = 6}},
    {"mistral",   "mistral-medium*",       {.input_usd = 0.40, .output_usd = 2}},
    {"mistral",   "mistral-small*",        {.input_usd = 0.10, .output_usd = 0.30}},
    {"ollama",    "*",                     {}},
    {"openai",    "gpt-3.5-turbo*",        {.input_usd = 0.50, .output_usd = 1.50}},
    {"openai",    "gpt-4-turbo*",          {.input_usd = 10,   .output_usd = 30}},
    {"openai",    "gpt-4.1",               {.input_usd = 2,    .output_usd = 8}},
    {"openai",    "gpt-4.1-2*",            {.input_usd = 2,    .output_usd = 8}},
    {"openai",    "gpt-4.1-mini*",         {.input_usd = 0.40, .output_usd = 1.60}},
    {"openai",    "gpt-4.1-nano*",         {.input_usd = 0.10, .output_usd = 0.40}},
    {"openai",    "gpt-4o",                {.input_usd = 2.50, .output_usd = 10}},
    {"openai",    "gpt-4o-2*",             {.input_usd = 2.50, .output_usd = 10}},
    {"openai",    "gpt-4o-mini*",          {.input_usd = 0.15, .output_usd = 0.60}},
    {"openai",    "gpt-5",                 {.input_usd = 1.25, .output_usd = 10}},
    {"openai",    "gpt-5-2*",              {.input_usd = 1.25, .output_usd = 10}},
    {"openai",    "gpt-5-mini*",           {.input_usd = 0.25, .output_usd = 2}},
    {"openai",    "gpt-5-nano*",           {.input_usd = 0.05, .output_usd = 0.40}},
    {"openai",    "o1",                    {.input_usd = 15,   .output_usd = 60}},
    {"openai",    "o3",                    {.input_usd = 2,    .output_usd = 8}},
    {"openai",    "o3-mini*",              {.input_usd = 1.10, .output_usd = 4.40}},
    {"openai",    "o4-mini*",              {.input_usd = 1.10, .output_usd = 4.40}},
    {"openai",    "text-embedding-3-large", {.input_usd = 0.13}},
    {"openai",    "text-embedding-3-small", {.input_usd = 0.02}},
    {"openai",    "text-embedding-ada-002", {.input_usd = 0.10}},
    {"together",  "meta-llama/Llama-3.3-70B-Instruct-Turbo", {.input_usd = 0.88, .output_usd = 0.88}},
    {"together",  "meta-llama/Meta-Llama-3.1-8B-Instruct-Turbo", {.input_usd = 0.18, .output_usd = 0.18}},
    {"xai",       "grok-3",                {.input_usd = 3,    .output_usd = 15}},
    {"xai",       "grok-3-mini*",          {.input_usd = 0.30, .output_usd = 0.50}},
    {"xai",       "grok-4",                {.input_usd = 3,    .output_usd = 15, .long_above_tokens = 128'000,
                                            .long_input_usd = 6, .long_output_usd = 30}},
    {"xai",       "grok-4-0709",           {.input_usd = 3,    .output_usd = 15, .long_above_tokens = 128'000,
                                            .long_input_usd = 6, .long_output_usd = 30}},
};
// clang-format on

// Vendors as brokers name them, and as this table does.
struct VendorRow {
  std::string_view broker_name;
  std::string_view provider;
};
constexpr VendorRow kVendors[] = {
    {"anthropic", "anthropic"}, {"google", "google"}, {"mistralai", "mistral"},
    {"openai", "openai"},       {"x-ai", "xai"},
};

bool Fits(std::string_view pattern, std::string_view model) {
  if (!pattern.ends_with('*')) return pattern == model;
  return model.starts_with(pattern.substr(0, pattern.size() - 1));
}

}  // namespace

std::span<const PriceRow> PriceTable() { return kRows; }

std::optional<Price> FindPrice(std::string_view provider, std::string_view model) {
  if (provider == "openai-responses") provider = "openai";  // another protocol, the same models
  if (provider == "openrouter") {
    const std::size_t slash = model.find('/');
    if (slash == std::string_view::npos) return std::nullopt;
    for (const VendorRow& vendor : kVendors) {
      if (vendor.broker_name == model.substr(0, slash))
        return FindPrice(vendor.provider, model.substr(slash + 1));
    }
    return std::nullopt;
  }
  const PriceRow* best = nullptr;
  for (const PriceRow& row : kRows) {
    if (row.provider != provider || !Fits(row.model, model)) continue;
    if (best == nullptr || row.model.size() > best->model.size()) best = &row;
  }
  return best == nullptr ? std::nullopt : std::optional(best->price);
}

std::optional<Price> PriceBook::Find(std::string_view provider, std::string_view model) const {
  const OwnPrice* best = nullptr;
  if (!own_.empty()) {
    std::string id(provider);
    id += ':';
    id += model;
    for (const OwnPrice& own : own_) {
      if (!Fits(own.model, id)) continue;
      if (best == nullptr || own.model.size() > best->model.size()) best = &own;
    }
  }
  return best == nullptr ? FindPrice(provider, model) : std::optional(best->price);
}

std::int64_t CostNanoUsd(const Price& price, std::int64_t input_tokens, std::int64_t output_tokens) {
  constexpr double kNanoPerMillionth = 1e9 / 1e6;
  const bool is_long = price.long_above_tokens > 0 && input_tokens > price.long_above_tokens;
  const double usd_per_million =
      static_cast<double>(input_tokens) * (is_long ? price.long_input_usd : price.input_usd) +
      static_cast<double>(output_tokens) * (is_long ? price.long_output_usd : price.output_usd);
  return std::llround(usd_per_million * kNanoPerMillionth);
}

}  // namespace assay
