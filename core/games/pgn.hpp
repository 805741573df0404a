// Games as text (12.4): where one ends and the next begins, what its tokens are, and playing them.
// Every function reads each byte a bounded number of times, whatever the text.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "games/text.hpp"

namespace cotulenh::pgn {

// Where a game lies in a text: tags from `start`, moves from `moves`, all before `end`.
struct Span {
    enum Status : u8 { FOUND, NEEDS_MORE, NOTHING };
    Status status = NOTHING;
    std::size_t start = 0, moves = 0, end = 0;
};

// The next game at or after `at`. Unless the text is `final`, a game that may go on needs more.
Span find_game(std::string_view text, std::size_t at, bool final);

// A game that was read is a tape of words: what happened in the highest byte, the rest below.
enum Op : u8 { MOVE = 1, OPEN, CLOSE, NAG, COMMENT };
using Word = u64;
inline constexpr int OP = 56, LENGTH = 28;
inline constexpr Word ENDS_TURN = Word(1) << 32;  // of a MOVE
inline constexpr std::size_t MOST_BYTES = std::size_t(1) << LENGTH;

constexpr Word word(Op op, Word payload = 0) { return Word(op) << OP | payload; }
constexpr Op op_of(Word w) { return Op(w >> OP); }
constexpr u32 move_of(Word w) { return u32(w); }

struct Token {
    enum Kind : u8 { END, TROUBLE, MOVE_TEXT, COMMENT_TEXT, NAG_NUMBER, OPENING, CLOSING, RESULT };
    Kind kind = END;
    std::size_t offset = 0;
    std::string_view text;  // of a comment: what is inside
    u32 number = 0;         // of a NAG
    const char* reason = "";
};

// The tokens of a game's moves. `stacks`: words may hold pieces in parentheses, as in (NF)b5.
class Tokens {
  public:
    Tokens(std::string_view text, bool stacks) : text_(text), stacks_(stacks) {}
    Token next();

  private:
    char peek(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }
    Token trouble(std::size_t at, const char* reason) const {
        return {Token::TROUBLE, at, {}, 0, reason};
    }
    void skip_line();
    bool skip_number();
    std::size_t result_length() const;
    std::size_t stack_length(std::size_t at) const;
    Token comment();
    Token rest_of_line();
    Token nag();
    Token marks();
    Token move();

    std::string_view text_;
    std::size_t at_ = 0;
    bool stacks_;
};

struct Reading {
    std::vector<Word> tape;
    std::string_view result;  // empty if the text does not say
    u32 turns = 0;            // of the main line
    TextError error;
};

// A position with the moves played on it, able to leave a turn for a variation and to come back.
// Game: Move, Undo, bits(Move), make, unmake, deploying(); the moves of a turn end where it does
// not deploy. Nothing recurses: variations may nest as deep as they like.
template <class Game>
class Line {
  public:
    using Move = typename Game::Move;

    explicit Line(Game& game) : game_(game) {}

    void push(Move m) {
        const bool begins = !game_.deploying();
        played_.push_back({m, begins, {}});
        game_.make(m, played_.back().undo);
    }
    bool can_branch() const { return played_.size() > base(); }
    std::size_t depth() const { return branches_.size(); }
    std::size_t opened_at() const { return branches_.back().offset; }

    // Takes back the last turn; it is played again when the variation closes.
    void open(std::size_t offset) {
        Branch branch{0, aside_.size(), offset};
        const std::size_t bottom = base();
        bool began = false;
        while (!began && played_.size() > bottom) {
            began = played_.back().begins;
            aside_.push_back(pop());
        }
        branch.base = played_.size();
        branches_.push_back(branch);
    }
    void close() {
        const Branch branch = branches_.back();
        branches_.pop_back();
        while (played_.size() > branch.base) pop();
        while (aside_.size() > branch.aside) {
            push(aside_.back());
            aside_.pop_back();
        }
    }

  private:
    struct Played {
        Move move;
        bool begins;
        typename Game::Undo undo;
    };
    struct Branch {
        std::size_t base, aside, offset;
    };

    std::size_t base() const { return branches_.empty() ? 0 : branches_.back().base; }
    Move pop() {
        const Move m = played_.back().move;
        game_.unmake(m, played_.back().undo);
        played_.pop_back();
        return m;
    }

    Game& game_;
    std::vector<Played> played_;
    std::vector<Branch> branches_;
    std::vector<Move> aside_;  // the turns that variations stand in for, last move first
};

// Plays a game's text. Game adds: read(text, moves) -> TextError, the moves of a turn or a reason.
template <class Game>
Reading read_moves(Game& game, std::string_view text) {
    Reading out;
    if (text.size() >= MOST_BYTES) {
        out.error = {0, "the game is too long"};
        return out;
    }
    Line<Game> line(game);
    Tokens tokens(text, Game::STACKS);
    std::vector<typename Game::Move> moves;
    out.tape.reserve(text.size() / 5);
    for (;;) {
        const Token token = tokens.next();
        switch (token.kind) {
            case Token::MOVE_TEXT: {
                moves.clear();
                if (TextError error = game.read(token.text, moves)) {
                    out.error = {token.offset + error.offset, std::move(error.reason)};
                    return out;
                }
                for (const auto m : moves) {
                    line.push(m);
                    const bool ends = !game.deploying();
                    out.turns += ends && line.depth() == 0;
                    out.tape.push_back(word(MOVE, game.bits(m) | (ends ? ENDS_TURN : 0)));
                }
                break;
            }
            case Token::COMMENT_TEXT: {
                const Word start = Word(token.text.data() - text.data());
                out.tape.push_back(word(COMMENT, start << LENGTH | token.text.size()));
                break;
            }
            case Token::NAG_NUMBER:
                out.tape.push_back(word(NAG, token.number));
                break;
            case Token::OPENING:
                if (!line.can_branch()) {
                    out.error = {token.offset, "a variation before any move"};
                    return out;
                }
                line.open(token.offset);
                out.tape.push_back(word(OPEN));
                break;
            case Token::CLOSING:
                if (line.depth() == 0 || !line.can_branch()) {
                    out.error = {token.offset, line.depth() ? "a variation without a move"
                                                            : "a ) that closes nothing"};
                    return out;
                }
                line.close();
                out.tape.push_back(word(CLOSE));
                break;
            case Token::RESULT:
                if (line.depth() == 0) {
                    out.result = token.text;
                    return out;
                }
                break;  // annotators write results into variations; they say nothing of the game
            case Token::TROUBLE:
                out.error = {token.offset, token.reason};
                return out;
            case Token::END:
                if (line.depth()) out.error = {line.opened_at(), "a variation that does not end"};
                return out;
        }
    }
}

// The texts of a tape's turns, in its order. Game adds: legal(move), text(moves) of a turn from the
// position before it. An impossible tape gives an error; its offset is the word's place.
template <class Game>
TextError write_moves(Game& game, const std::vector<Word>& tape, std::vector<std::string>& out) {
    Line<Game> line(game);
    std::vector<typename Game::Move> turn;
    for (std::size_t i = 0; i < tape.size(); ++i) {
        switch (op_of(tape[i])) {
            case MOVE: {
                // A turn is worded as a whole: gather it, playing on a line of its own.
                turn.clear();
                Game probe = game;
                typename Game::Undo undo;
                std::size_t last = i;
                for (;; ++last) {
                    const auto m = Game::move(move_of(tape[last]));
                    if (!probe.legal(m)) return {last, "an illegal move"};
                    probe.make(m, undo);
                    turn.push_back(m);
                    const bool ends = !probe.deploying() || (tape[last] & ENDS_TURN);
                    if (ends || last + 1 == tape.size() || op_of(tape[last + 1]) != MOVE) break;
                }
                out.push_back(game.text(turn));
                for (const auto m : turn) line.push(m);
                i = last;
                break;
            }
            case OPEN:
                if (!line.can_branch()) return {i, "a variation before any move"};
                line.open(i);
                break;
            case CLOSE:
                if (line.depth() == 0) return {i, "a variation that was not opened"};
                line.close();
                break;
            default:
                break;
        }
    }
    return {};
}

}  // namespace cotulenh::pgn
