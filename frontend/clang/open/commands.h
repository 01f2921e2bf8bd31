/* SPDX-License-Identifier: BSD-3-Clause */
// commands.h - compilation databases, compile_commands.json.
#ifndef SIS_FRONTEND_COMMANDS_H
#define SIS_FRONTEND_COMMANDS_H

#include <string>
#include <vector>

namespace sis {

struct Command {
  std::string Compiler;           // without a launcher such as ccache
  std::string File;               // as the command names it
  std::string Directory;          // in which the command was run
  std::vector<std::string> Words; // the options, without input, -o and -c
};

/// Finds the command that compiles File. If it returns false, Why says what is wrong.
bool findCommand(const std::string &Database, const std::string &File, Command &Result,
                 std::string &Why);

} // namespace sis

#endif
