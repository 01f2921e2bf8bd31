// SPDX-License-Identifier: BSD-3-Clause
// answers.cc - see answers.h. Any thread. Its one idea: the preprocessor of the real compiler
// prints the answers, one per line, behind a word that no program uses. So SIS needs no table of
// answers, which could be out of date.
#include "clang/parse/answers.h"

#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace sis {

static const char *const OperatorNames[] = {
    "__has_attribute",
    "__has_builtin",
    "__has_c_attribute",
    "__has_constexpr_builtin",
    "__has_cpp_attribute",
    "__has_declspec_attribute",
    "__has_embed",
    "__has_extension",
    "__has_feature",
    "__has_include",
    "__has_include_next",
    "__has_warning",
    "__building_module",
    "__is_identifier",
    "__is_target_arch",
    "__is_target_environment",
    "__is_target_os",
    "__is_target_variant_environment",
    "__is_target_variant_os",
    "__is_target_vendor",
};

/// The questions in glibc's and clang's headers. With their answers, most translation units need no
/// second run of the compiler.
static const char *const CommonQuestions[] = {
    "__has_attribute(__alloc_align__)",
    "__has_attribute(__always_inline__)",
    "__has_attribute(__artificial__)",
    "__has_attribute(__const__)",
    "__has_attribute(__deprecated__)",
    "__has_attribute(__format__)",
    "__has_attribute(__format_arg__)",
    "__has_attribute(__indirect_return__)",
    "__has_attribute(__malloc__)",
    "__has_attribute(__nonnull__)",
    "__has_attribute(__noreturn__)",
    "__has_attribute(__nothrow__)",
    "__has_attribute(__pure__)",
    "__has_attribute(__returns_nonnull__)",
    "__has_attribute(__unused__)",
    "__has_attribute(__used__)",
    "__has_attribute(__warn_unused_result__)",
    "__has_attribute(pointer_with_type_tag)",
    "__has_attribute(type_tag_for_datatype)",
    "__has_builtin(__builtin_expect)",
    "__has_builtin(__builtin_fclose)",
    "__has_extension(gnu_asm)",
    "__has_extension(c_generic_selections)",
    "__has_feature(address_sanitizer)",
    "__has_extension(__attribute_deprecated_with_message__)",
    "__has_extension(attribute_unavailable_with_message)",
    "__has_feature(modules)",
};

llvm::ArrayRef<const char *> Answers::operators() { return OperatorNames; }

/// Writes the question twice: in a string, where no macro is expanded, and as tokens.
static void addQuestion(std::string &Text, StringRef Question) {
  Text += "SIS__ANSWER \"";
  for (char C : Question) {
    if (C == '"' || C == '\\')
      Text += '\\';
    Text += C;
  }
  Text += "\" " + Question.str() + "\n";
}

std::string Answers::firstQuestions() {
  std::string Text;
  for (const char *Name : OperatorNames)
    Text += std::string("#ifdef ") + Name + "\nSIS__OPERATOR \"" + Name + "\"\n#endif\n";
  for (const char *Question : CommonQuestions) {
    StringRef Operator = StringRef(Question).take_until([](char C) { return C == '('; });
    Text += "#ifdef " + Operator.str() + "\n";
    addQuestion(Text, Question);
    Text += "#endif\n";
  }
  return Text;
}

std::string Answers::questions(llvm::ArrayRef<std::string> Asked) {
  std::string Text;
  for (const std::string &Question : Asked)
    addQuestion(Text, Question);
  return Text;
}

/// Removes a string literal from the begin of the text, and returns its value.
static std::string takeString(StringRef &Text) {
  std::string Value;
  if (!Text.consume_front("\""))
    return Value;
  while (!Text.empty() && Text.front() != '"') {
    Text = Text.drop_front(Text.size() > 1 && Text.front() == '\\');
    Value += Text.front();
    Text = Text.drop_front();
  }
  Text.consume_front("\"");
  return Value;
}

void Answers::read(StringRef Output) {
  while (!Output.empty()) {
    StringRef Line;
    std::tie(Line, Output) = Output.split('\n');
    if (Line.consume_front("SIS__OPERATOR ")) {
      Operators.insert(takeString(Line));
    } else if (Line.consume_front("SIS__ANSWER ")) {
      std::string Question = takeString(Line);
      StringRef Answer = Line.trim();
      // An answer is one number. Anything else is a question that the compiler does not understand.
      bool Number = !Answer.empty() && llvm::isDigit(Answer.front()) &&
                    llvm::all_of(Answer, [](char C) { return llvm::isAlnum(C); });
      Known[Question] = Number ? Answer.str() : "0";
    }
  }
}

const std::string *Answers::find(StringRef Question) const {
  auto Found = Known.find(Question);
  return Found == Known.end() ? nullptr : &Found->second;
}

} // namespace sis
