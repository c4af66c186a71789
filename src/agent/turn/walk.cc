// Records the events of a turn (stages, status messages) in the form of the lines that programs under test
// write.
#include "agent/turn/walk.h"

#include "text/python/json.h"

namespace assay {

void Walk::Tell(Map event) {
  event.Append("t_ms", elapsed_ms());
  events_.push_back(WritePythonJson(Value(std::move(event))).value_or("{}"));
}

void Walk::TellStage(std::string_view name, std::string_view stage) {
  Map event;
  event.Append("event", name);
  event.Append("stage", stage);
  Tell(std::move(event));
}

void Walk::TellStatus(std::string_view source, std::string text) {
  Map event;
  event.Append("event", "status");
  event.Append("source", source);
  event.Append("message", std::move(text));
  Tell(std::move(event));
}

}  // namespace assay
