/* SPDX-License-Identifier: BSD-3-Clause */
// tu.h - what the frontend knows of one translation unit: plain data that outlives Clang's AST.
//
// parse_tu.cc fills this data once (sis_ast_open). After that only the marks change (sis_ast_mark),
// and emit.cc reads the data. Every position is a byte offset into the flat text (flat_text.h).
#ifndef SIS_FRONTEND_TU_H
#define SIS_FRONTEND_TU_H

#include "tu/blame_unit.h"
#include "tu/reach.h"
#include "api/sis_ast.h"

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace sis {

/// The file and line that the compiler reports for an offset, for the `#line` after inserted lines.
struct LineMark {
  const char *File = "";
  unsigned Line = 0;
};

/// Where text is inserted: between two tokens, or as lines of its own before Offset, the start of a
/// line.
struct Point {
  unsigned Offset = 0;
  bool OwnLine = false;
  LineMark Mark;
};

/// A part of the flat text for which the source has a use of a macro or an #include.
struct Fold {
  static constexpr unsigned None = UINT32_MAX;
  bool Include = false;
  unsigned First = 0, Last = 0;   // in the flat text
  unsigned Around = None;         // number of the innermost fold around it
  std::string Original;           // what the user wrote
  const char *Why = nullptr;      // why it may not be written out; NULL if it may
  bool UsesTimestamp = false;     // has a __TIMESTAMP__, the time of the file that holds it
  // The rest is about an #include.
  const char *File = "";          // the compiler's name of the file
  LineMark After;                 // file and line of the text after the #include
  bool Quoted = false;            // "...", not <...>
  bool OtherDirectory = false;    // the file is not in the main file's directory
  const void *Identity = nullptr; // the file on disk
  unsigned OnceFirst = 0, OnceLast = 0; // extent of its `#pragma once`
};

/// An #include that was skipped: its file was included before, and has a guard or `#pragma once`.
struct SkippedInclude {
  unsigned First, Last;
  unsigned Around;      // number of the fold that holds it
  const void *Identity; // the file on disk
  bool Quoted;
};

/// The target of a jump, where text can be inserted: before a statement, after it, or in the header
/// of a loop.
struct JumpTarget {
  enum Position { Before, After, Header } Side = Before;
  Point Begin, End;             // around the statement; Header: Begin is before an expression
  unsigned First = 0, Last = 0; // the statement's extent
  bool Sole = false;            // the body of another statement: text needs braces of its own
  bool EmptyHeader = false;     // Header: no expression follows
};

/// Where the variable of a region with several entries or exits changes, apart from the region's
/// begin and end: the targets of jumps that cross the region's boundary.
struct Crossings {
  unsigned DeclPoint = 0; // of the variable: behind the `{` of a block around all targets
  std::vector<JumpTarget> In, Out;
};

/// What clauses of a construct do: enum sis_clause of rtlib/sis/probe.h.
namespace clause {
enum { Private = 1, Reduce = 2, CountPrivate = 4, CountReduce = 8, Libomp = 16 };
}

/// Where the private copies of a construct of OpenMP are made: behind the `{` of its body, in front
/// of the body, or around the first bound of its loop.
struct PrivatesMade {
  enum { Nowhere, Behind, InFront, Around } Side = Nowhere;
  Point Begin, End; // InFront: around the body
};

/// How a region's probe is written. Body: behind a `{`. Wrap: as a block `{ SIS_SCOPE(k) ... }`.
/// Guard: as text at begin and end, without a block, so that declarations between the two stay
/// visible. Flag: as Guard, with Crossings. Site and Task announce a region, which the runtime
/// enters: Site stands around a call, Task before a directive, `{ SIS_TASK(k) ... }`.
enum class Form { None, Body, Wrap, Guard, Flag, ValueCall, VoidCall, Site, Task };

struct Region {
  struct sis_ast_region Public = {};
  Form How = Form::None;
  Point Begin, End;         // of the edits
  unsigned First = 0;       // extent in the flat text: [First, Last)
  unsigned Last = 0;
  unsigned Function = 0;    // number of the enclosing function, in order of appearance
  unsigned File = 0;        // number of the file that its function begins in; NoFile: not laid out
  static constexpr unsigned NoFile = UINT32_MAX;
  bool AfterLabel = false;  // Guard: a declaration may not stand there without a `;` before it
  bool Sole = false;        // pair of directives around the body of another statement
  bool Evaluated = false;   // Body: of a constexpr function, which the compiler may evaluate
  bool Unreached = false;   // body of a switch whose first statement has no label
  bool SplitsStatements = false; // pair of directives that encloses no whole statements
  Form Plain = Form::None;  // Flag: the form if no other flag forces a flag; None: Flag
  Point PlainBegin, PlainEnd;
  bool AsFlag = false;      // set by choose_form.cc: must be a flag, given the current marks
  bool Overlaps = false;    // set by choose_form.cc: not left in the reverse order of entry
  Crossings FlagCrossings;  // Flag
  unsigned Clauses = 0;     // of a construct of OpenMP: namespace clause
  PrivatesMade Made;        // where its private copies are made
  std::vector<uint32_t> If; // directives with a condition; one of them must hold
  const char *BareName = ""; // name without line, for the ordinal
  int64_t Probe = -1;       // the caller's number, if the region is marked
};

struct Function {
  struct sis_ast_function Public = {};
  unsigned First = 0, Last = 0;  // extent in the flat text: [First, Last); empty: not laid out
  std::vector<uint32_t> Callees; // what Public points to
};

struct Directive {
  struct sis_ast_directive Public = {};
  std::vector<const char *> Items, Metrics; // NULL-ended, what Public points to
  std::vector<sis_ast_position> ItemPositions, MetricPositions; // likewise
  unsigned First = 0, Last = 0;             // its text: [First, Last)
  unsigned Newlines = 0;                    // newlines in its text; they are kept
  bool FromMacro = false;                   // it comes from a macro: there is no text to replace
  bool Redistributes = false;               // its region is of type CR_REDIST, not CR_A
  unsigned File = 0;                        // number of the file that holds it
  uint32_t Function = SIS_AST_NONE;         // number of the function that holds it
  Region Scope;                  // measure, condition: what the pair encloses, and its probes
  const char *Ignored = nullptr; // trace, measure: why no text replaces it; NULL if text does
  std::vector<std::string> Names;           // names that its condition uses
  /// The reason why the condition cannot be evaluated, for each function where this is so.
  std::map<unsigned, const char *> ConditionObstacle;
  /// Set by choose_form.cc: functions with regions that depend on the condition.
  std::set<unsigned> ConditionFunctions;
};

/// A call of setjmp or the like. When the call returns again, the regions that were entered after
/// its first return are left.
struct SetjmpCall {
  uint32_t Function;   // number of the function that holds it
  unsigned Begin, End; // around the call
};

/// A block of a switch whose first statement has no label and is never executed.
struct UnreachedStart {
  unsigned DeclPoint; // behind the block's `{`
  unsigned Last;      // end of the first statement
};

/// `default(none)`, or any default but shared, on an OpenMP directive: the variables of probes
/// inside the construct must be listed as shared.
struct SharingClause {
  uint32_t Function;     // number of the function that holds it
  unsigned Offset;       // after the clause
  unsigned First, Last;  // extent of the construct's statement
};

} // namespace sis

struct sis_ast {
  std::string Text; // the flat text
  std::string File; // the main file, as it was named
  std::string Directory; // where the compiler would run; empty: in the working directory
  const char *Language = ""; // "C", "C++"
  struct sis_ast_unit Tu = {};
  std::vector<sis::Fold> Folds; // by position, an outer fold before those inside it
  std::vector<sis::SkippedInclude> Skips;
  bool ForGCC = true; // the compiler is GCC, not clang
  bool OtherRegisters = false; // a function is compiled for another processor
  std::vector<const char *>
      Inlined;         // files that the emitted source holds instead of including them
  size_t Expanded = 0; // uses of macros that the emitted source holds as text
  std::vector<sis::Region> Regions;
  std::vector<sis::Directive> Directives; // by position
  std::vector<sis::Function> Functions;   // by number; reductions have numbers, but no names
  std::string Compiler;                   // what the compiler calls itself, and its target
  sis::Reach Reaching;
  std::vector<sis::SharingClause> Sharing;
  std::vector<sis::SetjmpCall> SetjmpCalls;
  std::vector<sis::UnreachedStart> UnreachedStarts;
  /// By function: the offset behind its `{` where declarations may be inserted; 0 if there is none.
  std::vector<unsigned> DeclPoints;
  std::deque<std::string> Strings;
  std::unique_ptr<sis::BlameUnit> Blame; // for section `sis_blame`; null: not wanted, or not made

  /// A copy of S that lives as long as the sis_ast.
  const char *keep(std::string S) {
    Strings.push_back(std::move(S));
    return Strings.back().c_str();
  }
};

#endif
