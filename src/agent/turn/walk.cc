// Records the events of a turn (stages, status messages) in the form of the lines that programs under test
// write.
#include "agent/turn/walk.h"

#include "text/object.h"
#include "text/python/json.h"

namespace assay {

void Walk::Tell(Map event) {
  event.Append("t_ms", elapsed_ms());
  events_.push_back(WritePythonJson(Value(std::move(event))).value_or("{}"));
}

void Walk::TellStage(std::string_view name, std::string_view stage) {
  Tell(Object{{"event", name}, {"stage", stage}});
}

void Walk::TellStatus(std::string_view source, std::string text) {
  Tell(Object{{"event", "status"}, {"source", source}, {"message", std::move(text)}});
}

}  // namespace assay
