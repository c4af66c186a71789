// Bounds what a gate may still come to: the cells that are left at the lowest and at the highest score, all
// of them errors, or none.
#include "report/decide/until/certain_course.h"

#include <cmath>

namespace assay {

namespace {

using Kind = BoundQuestion::Kind;

// Sums in another order than the gate's differ by less.
constexpr double kNear = 1e-9;

}  // namespace

std::string_view CertainStateName(CertainState state) {
  constexpr std::string_view kNames[] = {"open", "holds", "fails", "cannot_tell", "moot"};
  return kNames[static_cast<std::size_t>(state)];
}

CertainCourse::CertainCourse(const StopRule& rule, const BoundQuestion& question)
    : rule_(&rule), question_(&question) {}

void CertainCourse::EndAsMoot() { state_ = CertainState::kMoot; }

// Of --max-errors for every variant.
bool CertainCourse::IsClosed(CaseIndex index, const StopScores& scores) const {
  if (question_->kind != Kind::kErrors) return scores.IsClosed(index, question_->a);
  for (VariantIndex v = 0; v < rule_->names.size(); ++v) {
    if (!scores.IsClosed(index, v)) return false;
  }
  return true;
}

void CertainCourse::Begin(const StopScores& scores) {
  has_begun_ = true;
  for (const CaseIndex index : question_->cases->order) {
    if (question_->kind == Kind::kLeast && scores.AttemptsOf(index, question_->a) > 0)
      weights_left_ += rule_->weights[index];
    for (VariantIndex v = 0; v < rule_->names.size(); ++v) cells_left_ += scores.AttemptsOf(index, v);
  }
}

void CertainCourse::Follow(const StopScores& scores) {
  if (is_closed()) return;
  if (!has_begun_) {
    Begin(scores);
    Decide(scores);
  }
  const std::vector<std::uint32_t>& order = question_->cases->order;
  while (!is_closed() && n_ < order.size() && IsClosed(order[n_], scores)) {
    Take(order[n_++], scores);
    Decide(scores);
  }
}

void CertainCourse::Take(CaseIndex index, const StopScores& scores) {
  const BoundQuestion& question = *question_;
  if (question.kind == Kind::kErrors) {
    for (VariantIndex v = 0; v < rule_->names.size(); ++v) {
      failed_ += scores.AttemptsFailed(index, v);
      cells_left_ -= scores.AttemptsOf(index, v);
    }
  } else if (question.kind == Kind::kFlips) {
    const PassCount count = scores.PassesAt(index, question.a);
    const PassRule& rule = question.gate->pass;
    without_score_ += count.scored == 0 ? 1 : 0;
    failed_ += count.scored > 0 && !rule.CasePasses(count.passed, count.scored) ? 1 : 0;
  } else if (scores.AttemptsOf(index, question.a) > 0) {
    const double weight = rule_->weights[index];
    const double mean = scores.MeanAt(index, question.a);
    const ScoreRange& range = rule_->table.range();
    weights_left_ -= weight;
    has_tried_low_ = has_tried_low_ && mean == range.low;
    has_tried_high_ = has_tried_high_ && mean == range.high;
    if (!std::isfinite(mean)) {
      ++without_score_;
      return;
    }
    is_above_ = is_above_ || mean > range.high;
    sum_ += weight * mean;
    weights_ += weight;
  }
}

void CertainCourse::Decide(const StopScores& scores) {
  if (question_->kind == Kind::kErrors) {
    DecideErrors();
  } else if (question_->kind == Kind::kFlips) {
    DecideFlips();
  } else {
    DecideLeast(scores);
  }
}

void CertainCourse::DecideErrors() {
  const double most = question_->gate->limit;
  if (static_cast<double>(failed_) > most) {
    state_ = CertainState::kFails;
  } else if (static_cast<double>(failed_ + cells_left_) <= most) {
    state_ = CertainState::kHolds;
  }
}

void CertainCourse::DecideFlips() {
  const auto most = static_cast<std::uint64_t>(question_->gate->limit);
  const std::uint64_t left = question_->cases->order.size() - n_;
  if (failed_ > most) {
    state_ = CertainState::kFails;
  } else if (failed_ + without_score_ + left <= most) {
    state_ = CertainState::kHolds;
  } else if (failed_ + left <= most && failed_ + without_score_ > most) {
    state_ = CertainState::kCannotTell;
  }
}

// The mean as the table of variants has it, with the same sums, where each case that is not counted yet has
// this value.
double CertainCourse::MeanWith(double rest, const StopScores& scores) const {
  std::vector<bool> is_counted(rule_->weights.size());
  for (std::uint64_t place = 0; place < n_; ++place) is_counted[question_->cases->order[place]] = true;
  double sum = 0;
  double weights = 0;
  for (CaseIndex index = 0; index < is_counted.size(); ++index) {
    if (scores.AttemptsOf(index, question_->a) == 0) continue;
    const double mean = is_counted[index] ? scores.MeanAt(index, question_->a) : rest;
    if (!std::isfinite(mean)) continue;
    sum += rule_->weights[index] * mean;
    weights += rule_->weights[index];
  }
  return weights > 0 ? sum / weights : std::nan("");
}

void CertainCourse::DecideLeast(const StopScores& scores) {
  const ScoreRange& range = rule_->table.range();
  const double least = question_->gate->limit;
  const bool is_all = n_ == question_->cases->order.size();
  const double all = weights_ + (is_all ? 0 : weights_left_);
  const double low = (sum_ + (is_all ? 0 : range.low * weights_left_)) / all;
  const double high = (sum_ + (is_all ? 0 : range.high * weights_left_)) / all;
  if (!(all > 0)) {
    if (is_all) state_ = CertainState::kFails;  // nobody has a score
    return;
  }
  const bool has_score = weights_ > 0;
  if (has_score && low > least + kNear) {
    state_ = CertainState::kHolds;
  } else if (high < least - kNear && !is_above_) {
    state_ = CertainState::kFails;
  } else if (has_score && low >= least - kNear && !has_tried_low_) {
    has_tried_low_ = true;
    if (MeanWith(range.low, scores) >= least) state_ = CertainState::kHolds;
  }
  if (state_ == CertainState::kOpen && high <= least + kNear && !has_tried_high_ && !is_above_) {
    has_tried_high_ = true;
    if (!(MeanWith(range.high, scores) >= least)) state_ = CertainState::kFails;
  }
  if (state_ == CertainState::kOpen && is_all)
    state_ = MeanWith(range.low, scores) >= least ? CertainState::kHolds : CertainState::kFails;
}

}  // namespace assay
