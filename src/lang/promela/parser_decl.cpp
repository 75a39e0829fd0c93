// Declarations: variables, channels, fields, parameters and the names of mtypes.
#include "lang/promela/parser_impl.h"

namespace harrier::promela {

namespace {

std::optional<BaseType> base_type(Tok kind) {
  switch (kind) {
    case Tok::KwBit: return BaseType::Bit;
    case Tok::KwByte: return BaseType::Byte;
    case Tok::KwShort: return BaseType::Short;
    case Tok::KwInt: return BaseType::Int;
    case Tok::KwUnsigned: return BaseType::Unsigned;
    case Tok::KwMtype: return BaseType::Mtype;
    case Tok::KwChan: return BaseType::Chan;
    case Tok::KwPid: return BaseType::Pid;
    default: return {};
  }
}

std::optional<Visibility> visibility(Tok kind) {
  switch (kind) {
    case Tok::KwHidden: return Visibility::Hidden;
    case Tok::KwShow: return Visibility::Show;
    case Tok::KwLocal: return Visibility::Local;
    default: return {};
  }
}

constexpr int64_t kMaxWidth = 32;

}  // namespace

bool Parser::at_type(size_t ahead) { return base_type(peek(ahead).kind).has_value(); }

bool Parser::at_declaration() {
  return at_type() || visibility(peek().kind) || (at(Tok::Name) && peek(1).kind == Tok::Name);
}

void Parser::global_declaration() {
  const size_t type = visibility(peek().kind) ? 1 : 0;
  if (peek(type).kind == Tok::KwMtype) {
    const Tok next = peek(type + 1).kind;
    const bool subtype = next == Tok::Colon && peek(type + 3).kind == Tok::Assign;
    if (next == Tok::Assign || next == Tok::LBrace || subtype) {
      if (type == 1) take();
      take();
      return mtype_names();
    }
  }
  for (DeclNode& declared : declaration()) model_.globals.push_back(std::move(declared));
}

void Parser::mtype_names() {
  MtypeNode made;
  if (accept(Tok::Colon)) made.subtype = expect_name("the name of the mtype").text;
  accept(Tok::Assign);
  expect(Tok::LBrace, "before the names of the mtype");
  while (!at(Tok::RBrace)) {
    const Token name = expect_name("the name of an mtype constant or '}'");
    made.names.push_back({name.text, name.at});
    while (accept(Tok::Comma)) {
    }
  }
  if (made.names.empty()) fail_unexpected("the name of an mtype constant");
  take();
  model_.mtypes.push_back(std::move(made));
}

std::vector<DeclNode> Parser::declaration() {
  DeclNode base;
  if (const auto shown = visibility(peek().kind)) {
    base.visibility = *shown;
    take();
  }
  const Token type = peek();
  if (const auto known = base_type(type.kind)) {
    base.type = *known;
    take();
    if (base.type == BaseType::Mtype && (at(Tok::Assign) || at(Tok::LBrace))) {
      fail(type.at, "the names of an mtype are declared at the top of the model, not here");
    }
    if (base.type == BaseType::Mtype && accept(Tok::Colon)) base.mtype_name = expect_name("the name of the mtype").text;
  } else if (at(Tok::Name)) {
    if (structs_.count(type.text) == 0)
      fail(type.at, "unknown type '" + type.text + "': no typedef of it stands above");
    base.type = BaseType::Struct;
    base.struct_name = take().text;
  } else {
    fail_unexpected("a type");
  }
  std::vector<DeclNode> all;
  do {
    all.push_back(declarator(base));
  } while (accept(Tok::Comma));
  return all;
}

DeclNode Parser::declarator(const DeclNode& base) {
  DeclNode made;
  made.type = base.type;
  made.struct_name = base.struct_name;
  made.mtype_name = base.mtype_name;
  made.visibility = base.visibility;
  const Token name = expect_name("the name of a variable");
  made.name = name.text;
  made.at = name.at;
  if (made.type == BaseType::Struct) {
    structured_.insert(name.text);
  } else {
    structured_.erase(name.text);
  }
  if (accept(Tok::Colon)) {
    const Token width = expect(Tok::Number, "of bits after ':'");
    if (made.type != BaseType::Unsigned) fail(width.at, "only an unsigned variable has a width");
    if (width.value < 1 || width.value > kMaxWidth) fail(width.at, "the width of a variable is from 1 to 32 bits");
    made.bits = static_cast<uint32_t>(width.value);
  } else if (made.type == BaseType::Unsigned) {
    fail_unexpected("':' and the width of the unsigned variable " + name.text);
  } else if (accept(Tok::LBracket)) {
    made.array_size = expression();
    expect(Tok::RBracket, "after the size of the array " + name.text);
  }
  if (accept(Tok::Assign)) initialiser(made);
  return made;
}

void Parser::initialiser(DeclNode& declared) {
  if (at(Tok::LBracket)) {
    if (declared.type != BaseType::Chan) fail(peek().at, "only a chan is initialised with [capacity] of { … }");
    declared.channel = channel();
  } else if (at(Tok::LBrace)) {
    if (!declared.array_size) fail(peek().at, "only an array is initialised with { … }");
    take();
    declared.init_list = expressions(Tok::RBrace);
    expect(Tok::RBrace, "after the values of the array " + declared.name);
  } else {
    declared.init = expression();
  }
}

std::unique_ptr<ChannelInit> Parser::channel() {
  auto made = std::make_unique<ChannelInit>();
  made->at = take().at;
  made->capacity = expression();
  expect(Tok::RBracket, "after the capacity of the channel");
  expect(Tok::KwOf, "after the capacity of the channel");
  expect(Tok::LBrace, "before the fields of the channel");
  do {
    made->fields.push_back(field());
  } while (accept(Tok::Comma));
  expect(Tok::RBrace, "after the fields of the channel");
  return made;
}

ChannelInit::Field Parser::field() {
  ChannelInit::Field made;
  const Token type = peek();
  made.at = type.at;
  if (const auto known = base_type(type.kind)) {
    if (*known == BaseType::Unsigned) fail(type.at, "an unsigned cannot be a field of a channel");
    made.type = *known;
    take();
    if (made.type == BaseType::Mtype && accept(Tok::Colon)) made.mtype_name = expect_name("the name of the mtype").text;
  } else if (at(Tok::Name) && structs_.count(type.text) != 0) {
    made.type = BaseType::Struct;
    made.struct_name = take().text;
  } else {
    fail_unexpected("the type of a field");
  }
  return made;
}

std::vector<DeclNode> Parser::parameters() {
  std::vector<DeclNode> all;
  if (at(Tok::RParen)) return all;
  for (;;) {
    if (!at_declaration()) fail_unexpected("the declaration of a parameter");
    for (DeclNode& declared : declaration()) {
      if (declared.init || declared.channel || !declared.init_list.empty()) {
        fail(declared.at, "a parameter cannot be initialised");
      }
      all.push_back(std::move(declared));
    }
    if (at(Tok::RParen)) return all;
    if (!accept(Tok::Semi)) fail_unexpected("';' or ')' after a parameter");
  }
}

ExprPtr Parser::optional_priority() {
  if (!accept(Tok::KwPriority)) return nullptr;
  return constant(expect(Tok::Number, "after 'priority'"));
}

}  // namespace harrier::promela
