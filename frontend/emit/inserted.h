/* SPDX-License-Identifier: BSD-3-Clause */
// inserted.h - the inserted words other than the probes.
//
// Everything that is inserted, punctuation too, is a macro whose name begins with SIS_. Without
// these macros the text has the source's tokens; `sisc --sis-verify` checks that. sis/probe.h
// defines the macros.
#ifndef SIS_FRONTEND_INSERTED_H
#define SIS_FRONTEND_INSERTED_H

#include <string>

namespace sis {

inline constexpr char BlockBegin[] = "SIS_BLOCK_BEGIN"; // {
inline constexpr char BlockEnd[] = "SIS_BLOCK_END";     // }
inline constexpr char Empty[] = "SIS_EMPTY";            // ;
inline constexpr char Nothing[] = "SIS_NOTHING";        // (void)0

/// GCC warns of a statement before the first label of a switch (-Wswitch-unreachable), but not if
/// that statement is a macro of a system header, as the probes are. So the statement
/// SIS_UNREACHED is put before such probes. Control does not reach this statement. GCC's warning
/// about this statement makes sisc ask for the source's own warnings.
inline constexpr char Unreached[] = "SIS_UNREACHED";

/// The expression as a statement.
inline std::string statement(const std::string &Expression) { return "SIS_DO(" + Expression + ")"; }

/// The expression as an operand that is evaluated before the expression that follows.
inline std::string before(const std::string &Expression) {
  return "SIS_FIRST(" + Expression + ") ";
}

} // namespace sis

#endif
