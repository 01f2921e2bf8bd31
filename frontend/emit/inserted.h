/* SPDX-License-Identifier: BSD-3-Clause */
// inserted.h - the inserted words other than the probes.
//
// Everything that is inserted, punctuation too, is a macro whose name begins with SIS_. Without
// these macros the text has the source's tokens; `sisc --sis-verify` checks that. Their meaning is
// in sis/probe.h.
#ifndef SIS_FRONTEND_INSERTED_H
#define SIS_FRONTEND_INSERTED_H

#include <string>

namespace sis {

inline constexpr char BlockBegin[] = "SIS_BLOCK_BEGIN"; // {
inline constexpr char BlockEnd[] = "SIS_BLOCK_END";     // }
inline constexpr char Empty[] = "SIS_EMPTY";            // ;
inline constexpr char Nothing[] = "SIS_NOTHING";        // (void)0

/// GCC warns of a statement before the first label of a switch (-Wswitch-unreachable), but not if
/// that statement is a macro of a system header, as the probes are. This statement comes before
/// them and does nothing, because control does not reach it. GCC's warning about it makes sisc ask
/// for the source's own warnings.
inline constexpr char Unreached[] = "SIS_UNREACHED";

/// The expression as a statement.
inline std::string statement(const std::string &Expression) { return "SIS_DO(" + Expression + ")"; }

/// The expression, evaluated before the one that follows.
inline std::string before(const std::string &Expression) {
  return "SIS_FIRST(" + Expression + ") ";
}

} // namespace sis

#endif
