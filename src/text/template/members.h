// MemberNames: the members that mappings in a table's columns have in some row. A path that leads to none of
// them is a slip; a member that only some rows lack is an empty cell.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/template/engine.h"
#include "text/template/path.h"
#include "text/value.h"

namespace assay {

class MemberNames {
 public:
  void Add(const Map& row);
  // The rows become mappings of one column, which have the columns as members.
  void WrapIn(std::string_view column, const std::vector<std::string>& columns);

  // What is wrong with a path whose column is there; nothing: some row may have its value.
  std::optional<TemplateProblem> ProblemOf(const RowPath& path) const;

 private:
  using NodeIndex = std::uint32_t;  // 0: nothing has members there
  struct Node {
    std::map<std::string, NodeIndex, std::less<>> members;
    std::vector<std::string> names = {};  // in the order of their first row
    NodeIndex items = 0;                  // of a list
  };

  void AddValue(const Value& value, NodeIndex& node, int depth);
  void AddMembers(const Map& map, NodeIndex node, int depth);
  NodeIndex NewNode();

  std::vector<Node> nodes_ = std::vector<Node>(2);  // the first one is none, the second a row
  std::size_t count_ = 0;                           // of names
  bool is_full_ = false;                            // too many names, so that nobody knows all
};

}  // namespace assay
