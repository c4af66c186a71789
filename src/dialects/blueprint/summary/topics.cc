// The list of known topic names: a topic that differs only in letter case is corrected, others stay as the
// model wrote them.
#include "dialects/blueprint/summary/reply.h"

namespace assay::blueprint {
namespace {

constexpr std::string_view kTopics[] = {
    "Academic Integrity",
    "Anthropomorphism",
    "Architecture",
    "Causal Reasoning",
    "Central America",
    "Climate Change",
    "Coding",
    "Constitutional Law",
    "Consumer Protection",
    "Creativity",
    "Disability Rights",
    "East Africa",
    "Engineering",
    "Fraud Detection",
    "Freedom of Information",
    "General Knowledge",
    "Geography",
    "Healthcare",
    "History",
    "Human Rights",
    "Language",
    "Legal Reasoning",
    "North America",
    "Reasoning",
    "Safety",
    "South America",
    "South Asia",
    "Sycophancy",
    "Translation",
    "West Africa",
};

}  // namespace

std::span<const std::string_view> SummaryTopics() { return kTopics; }

}  // namespace assay::blueprint
