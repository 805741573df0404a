// Games as text (12.4): tags, tokens, and where one game ends and the next begins.
//
// This is the only tokenizer of PGN. It takes what programs write, not only what the standard
// allows: what has no place in a game comes out as a token with a reason, and reading goes on.
// Every function reads each byte a bounded number of times, whatever the text.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "games/text.hpp"

namespace cotulenh::pgn {

// Something wrong at a place. What is fatal cost moves of the main line, or the whole game.
struct Note {
    std::size_t offset = 0;
    std::string reason;
    bool fatal = false;
};

// What is wrong with one game: no more than a reader wants to hear of.
class Notes {
  public:
    static constexpr std::size_t MOST = 20;

    void add(std::size_t offset, std::string reason, bool fatal = false);
    bool fatal() const { return fatal_; }
    void clear() { list_.clear(), fatal_ = false; }
    const std::vector<Note>& list() const { return list_; }
    bool empty() const { return list_.empty(); }

  private:
    std::vector<Note> list_;
    bool fatal_ = false;
};

// [Name "value"]: the value as it stands in the text.
struct Tag {
    std::string_view name, value;
    bool escaped = false;     // it holds backslashes
    std::string key() const;  // the name, which some write with blanks
    std::string text() const;
};

// The tags of a game and what is said among them.
struct Header {
    std::size_t start = 0, end = 0;  // from the first sign of the game to behind the last tag
    bool cut = false;                // the text may go on
    bool alone = false;              // another game's tags follow: this one has no moves
    std::vector<Tag> tags;
    std::vector<std::string_view> comments;
    Notes notes;

    std::string_view get(std::string_view name) const;  // of the last such tag, or nothing
    bool has(std::string_view name) const;
};

// Reads the tags of the game at or after `at`. Unless the text is `final`, they may be cut.
void read_header(std::string_view text, std::size_t at, bool final, Header& out);

struct Token {
    // NOISE has no place in a game; MORE means that the text may go on.
    enum Kind : u8 { END, MORE, WORD, COMMENT, NAG, OPENING, CLOSING, RESULT, NOISE };
    Kind kind = END;
    std::size_t offset = 0;
    std::string_view text{};  // of a comment: what is inside
    u32 number = 0;           // of a NAG; of a RESULT: whether it is the game's own
    const char* reason = "";  // what is wrong with it, if anything
};

// The tokens of one game's moves, up to the next game.
class Tokens {
  public:
    Tokens(std::string_view text, std::size_t at, bool final)
        : text_(text), at_(at), final_(final) {}
    Token next();
    std::size_t at() const { return at_; }

  private:
    char peek(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }
    Token end_of_text() const;
    Token noise(std::size_t start, std::size_t length, const char* reason);
    bool blank();
    bool skip_line();
    bool skip_periods();
    bool number(Token& out);
    bool begins_again(u32 value, std::size_t after) const;
    bool ends_before() const;
    std::size_t result_length(const char*& reason) const;
    std::size_t stack_length(std::size_t at) const;
    std::size_t tag_among_moves(std::size_t look) const;
    static std::size_t clinging_result(std::string_view word);
    bool promotes() const;
    Token result(std::size_t length, const char* reason);
    Token comment();
    Token rest_of_line();
    Token nag();
    Token marks();
    Token bracket();
    Token word();

    std::string_view text_;
    std::size_t at_;
    bool final_;
    std::size_t depth_ = 0, words_ = 0;
    u32 number_ = 0;
    bool over_ = false;                      // the game's result has come
    bool new_line_ = false, empty_ = false;  // a line's end, an empty line before the next token
};

// Where a game lies in a text: tags from `start`, moves from `moves`, all before `end`.
struct Span {
    enum Status : u8 { FOUND, NEEDS_MORE, NOTHING };
    Status status;
    std::size_t start, moves, end;
};

// The next game at or after `at`. Unless the text is `final`, a game that may go on needs more.
Span find_game(std::string_view text, std::size_t at, bool final);

// How much of a text is whole games: up to the last game that surely begins another.
std::size_t whole_games(std::string_view text);

// A word of a game, fit to be quoted in a message: short, in whatever letters it has.
std::string shown(std::string_view word);

// A mark as a word or sign, such as +- or ±: its NAG, or -1.
int nag_of_sign(std::string_view text);
inline constexpr std::size_t LONGEST_SIGN = 6;  // in bytes

}  // namespace cotulenh::pgn
