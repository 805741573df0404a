// Playing the tokens of a game, for both games: text to a tape of words, and a tape to texts.
#pragma once

#include "games/pgn.hpp"

namespace cotulenh::pgn {

// A game that was read is a tape of words: what happened in the highest byte, the rest below.
enum Op : u8 { MOVE = 1, OPEN, CLOSE, NAG, COMMENT };
using Word = u64;
inline constexpr int OP = 56, LENGTH = 28;
inline constexpr Word ENDS_TURN = Word(1) << 32;  // of a MOVE
inline constexpr std::size_t MOST_BYTES = std::size_t(1) << LENGTH;
inline constexpr u32 NULL_BITS = 0;  // of a move that passes, in both games

constexpr Word word(Op op, Word payload = 0) { return Word(op) << OP | payload; }
constexpr Op op_of(Word w) { return Op(w >> OP); }
constexpr u32 move_of(Word w) { return u32(w); }

struct Reading {
    std::vector<Word> tape;
    std::string_view result;  // as written; empty if the text does not say
    u32 turns = 0;            // of the main line
    Notes notes;
    std::size_t end = 0;  // of the game in the text

    void clear() {
        tape.clear();
        result = {};
        turns = 0;
        notes.clear();
    }
};

// What a game makes of a word of its text.
struct WordReading {
    enum Status : u8 {
        FINE,   // moves
        LOOSE,  // moves, written in some other way than the rules of notation ask
        BAD,    // meant as a move, but none that can be played
        NOISE   // not meant as a move
    };
    Status status = FINE;
    int nag = -1;  // of a sign that clings to the move
    std::size_t offset = 0;
    std::string reason{};
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

inline bool is_null(std::string_view text) {
    return text == "--" || text == "Z0" || text == "z0" || text == "@@@@" || text == "0000" ||
           text == "null";
}

// Plays a game's text. Game adds: read(text, moves) -> WordReading, may_pass(), and joins(a, b):
// whether two words may be one that was torn apart by blanks.
template <class Game>
class MovesReader {
  public:
    MovesReader(Game& game, std::string_view text, Reading& out)
        : line_(game), game_(game), text_(text), out_(out) {}

    // What is said among the tags comes first.
    void say(std::string_view said) {
        const Word start = Word(said.data() - text_.data());
        out_.tape.push_back(pgn::word(COMMENT, start << LENGTH | said.size()));
    }

    // From `at` to the end of the game; offsets of comments count from the start of the text.
    void read(std::size_t at) {
        tokens_ = Tokens(text_, at, true);
        for (Token token = tokens_.next(); token.kind != Token::END; token = tokens_.next())
            take(token);
        finish();
        out_.end = std::max(tokens_.at(), at);
    }

  private:
    static constexpr std::size_t MOST_NESTED = std::size_t(1) << 17;

    bool silent() const { return dead_ || skipped_; }

    void take(const Token& token) {
        if (*token.reason) out_.notes.add(token.offset, token.reason);
        switch (token.kind) {
            case Token::WORD:
                if (!silent()) word(token);
                break;
            case Token::COMMENT:
                if (!silent()) say(token.text);
                break;
            case Token::NAG:
                if (!silent()) out_.tape.push_back(pgn::word(NAG, token.number));
                break;
            case Token::OPENING:
                open(token.offset);
                break;
            case Token::CLOSING:
                close(token.offset);
                break;
            case Token::RESULT:
                result(token);
                break;
            default:
                break;
        }
    }

    void word(const Token& token) {
        moves_.clear();
        if (over_ && line_.depth() == 0) return sign(token);
        if (is_null(token.text)) return pass(token);
        WordReading reading = game_.read(token.text, moves_);
        if (reading.status != WordReading::FINE) join(token, reading);
        const std::size_t at = token.offset + reading.offset;
        switch (reading.status) {
            case WordReading::BAD:
                if (nobody_won(token)) return;
                dead_ = true;
                return out_.notes.add(at, reading.reason, line_.depth() == 0);
            case WordReading::NOISE:
                return sign(token);
            case WordReading::LOOSE:
                out_.notes.add(at, reading.reason);
                break;
            default:
                break;
        }
        play();
        if (reading.nag >= 0) out_.tape.push_back(pgn::word(NAG, Word(reading.nag)));
    }

    // "N<F>c6, T>d3": what follows belongs to the word if the game can make sense of both.
    void join(const Token& token, WordReading& reading) {
        constexpr int MOST_PARTS = 6;
        std::string_view last = token.text;
        std::string whole(last);
        Tokens ahead = tokens_;
        for (int i = 1; i < MOST_PARTS && whole.size() < Game::LONGEST; ++i) {
            const Token next = ahead.next();
            if (next.kind != Token::WORD || !Game::joins(last, next.text)) return;
            whole += last = next.text;
            if (whole.size() > Game::LONGEST) return;
            std::vector<typename Game::Move> moves;
            if (game_.read(whole, moves).status != WordReading::FINE) continue;
            moves_ = std::move(moves);
            tokens_ = ahead;
            reading = {WordReading::LOOSE, -1, 0, "expected " + shown(whole) + " in one piece"};
            return;
        }
    }

    // 0-0 that is no castling, and the last word of a game: some write so that both have lost.
    bool nobody_won(const Token& token) {
        if (token.text != "0-0" || line_.depth()) return false;
        Tokens ahead = tokens_;
        const Token::Kind next = ahead.next().kind;
        if (next != Token::END && next != Token::COMMENT) return false;
        out_.notes.add(token.offset, "expected a result such as 1-0 or 1/2-1/2, got '0-0'");
        return true;
    }

    void sign(const Token& token) {
        const int nag = nag_of_sign(token.text);
        if (nag >= 0) out_.tape.push_back(pgn::word(NAG, Word(nag)));
        std::string reason = nag >= 0 ? "expected $" : "not a move: ";
        if (nag >= 0) (reason += std::to_string(nag)) += ", got ";
        out_.notes.add(token.offset, reason + shown(token.text));
    }

    void pass(const Token& token) {
        if (!game_.may_pass()) {
            dead_ = true;
            return out_.notes.add(token.offset,
                                  "nobody may pass in check or in the middle of a deployment",
                                  line_.depth() == 0);
        }
        moves_.push_back(Game::move(NULL_BITS));
        play();
    }

    void play() {
        for (const auto m : moves_) {
            line_.push(m);
            const bool ends = !game_.deploying();
            out_.turns += ends && line_.depth() == 0;
            out_.tape.push_back(pgn::word(MOVE, game_.bits(m) | (ends ? ENDS_TURN : 0)));
        }
    }

    void open(std::size_t offset) {
        if (silent()) {
            ++skipped_;
        } else if (!line_.can_branch()) {
            out_.notes.add(offset, "a variation before any move");
            ++skipped_;
        } else if (line_.depth() >= MOST_NESTED) {
            out_.notes.add(offset, "variations nest deeper than 131072: the rest is left out");
            ++skipped_;
        } else {
            line_.open(offset);
            out_.tape.push_back(pgn::word(OPEN));
        }
    }

    void close(std::size_t offset) {
        if (skipped_) {
            --skipped_;
            return;
        }
        if (line_.depth() == 0) return;  // the rest of a main line that cannot be played
        if (!line_.can_branch() && !dead_) out_.notes.add(offset, "a variation without a move");
        close_line();
    }

    void close_line() {
        dead_ = false;
        line_.close();
        if (op_of(out_.tape.back()) == OPEN)
            out_.tape.pop_back();
        else
            out_.tape.push_back(pgn::word(CLOSE));
    }

    void result(const Token& token) {
        if (!token.number) return;  // annotators write results into variations
        over_ = true;
        if (out_.result.empty())
            out_.result = token.text;
        else if (out_.result != token.text)
            out_.notes.add(token.offset, "a second result");
    }

    void finish() {
        if (line_.depth()) out_.notes.add(line_.opened_at(), "a variation that does not end");
        while (line_.depth()) close_line();
    }

    Line<Game> line_;
    Game& game_;
    std::string_view text_;
    Tokens tokens_{{}, 0, true};
    Reading& out_;
    std::vector<typename Game::Move> moves_;
    bool over_ = false;        // the result has come
    bool dead_ = false;        // a move of this line could not be read
    std::size_t skipped_ = 0;  // variations opened within what is passed over
};

// The texts of a tape's turns, in its order. Game adds: legal(move), text(moves) of a turn from the
// position before it. An impossible tape gives an error; its offset is the word's place.
template <class Game>
class MovesWriter {
  public:
    MovesWriter(Game& game, const std::vector<Word>& tape)
        : line_(game), game_(game), tape_(tape) {}

    TextError write(std::vector<std::string>& out) {
        for (std::size_t i = 0; i < tape_.size(); ++i) {
            const char* wrong = nullptr;
            switch (op_of(tape_[i])) {
                case MOVE:
                    if (!turn(i)) return {i, "an illegal move"};
                    out.push_back(game_.text(turn_));
                    for (const auto m : turn_) line_.push(m);
                    break;
                case OPEN:
                    if (!line_.can_branch())
                        wrong = "a variation before any move";
                    else
                        line_.open(i);
                    break;
                case CLOSE:
                    if (line_.depth() == 0)
                        wrong = "a variation that was not opened";
                    else
                        line_.close();
                    break;
                default:
                    break;
            }
            if (wrong) return {i, wrong};
        }
        return {};
    }

  private:
    // A turn is worded as a whole: gathers it, playing on a position of its own if it is long.
    bool turn(std::size_t& i) {
        turn_.clear();
        if (tape_[i] & ENDS_TURN) {
            turn_.push_back(Game::move(move_of(tape_[i])));
            return may_play(game_, turn_.front());
        }
        Game probe = game_;
        typename Game::Undo undo;
        for (;; ++i) {
            const auto m = Game::move(move_of(tape_[i]));
            if (!may_play(probe, m)) return false;
            probe.make(m, undo);
            turn_.push_back(m);
            const bool ends = !probe.deploying() || (tape_[i] & ENDS_TURN);
            if (ends || i + 1 == tape_.size() || op_of(tape_[i + 1]) != MOVE) return true;
        }
    }
    static bool may_play(Game& game, typename Game::Move m) {
        return m.bits() == NULL_BITS ? game.may_pass() : game.legal(m);
    }

    Line<Game> line_;
    Game& game_;
    const std::vector<Word>& tape_;
    std::vector<typename Game::Move> turn_;
};

}  // namespace cotulenh::pgn
