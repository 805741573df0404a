// Opening books: one sorted file of positions and the moves played from them, for any game whose
// positions have 64-bit keys and whose moves have 32 bits. Read where it lies (memory-mapped),
// versioned and checked; built in bounded memory.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "games/text.hpp"

namespace cotulenh::book {

// How a game ended for the side that moves.
enum class Outcome : u8 { WIN, DRAW, LOSS, OPEN };

// One move of one position in one game.
struct Played {
    static constexpr std::int16_t NO_SCORE = -32768;
    u64 key;
    u32 move;
    std::int16_t score = NO_SCORE;  // centipawns for the side that moves
    Outcome outcome = Outcome::OPEN;
};

// A move of a position in all games, as the file has it.
struct Entry {
    u32 move, count, wins, draws, losses, scored;
    float score;  // the mean of `scored` evaluations
};
static_assert(sizeof(Entry) == 28);

// An entry with its position: what builders and mergers pass on, sorted by both.
struct Row {
    u64 key;
    Entry entry;
};

struct About {
    std::string variant;  // the name of the rule set, or "chess"
    u64 games = 0, positions = 0, entries = 0;
};

// A book that is open for reading.
class Book {
  public:
    // Nothing, and the reason in the error, if the file is no sound book.
    static std::shared_ptr<const Book> open(const std::string& path, TextError& error);
    ~Book();
    Book(const Book&) = delete;

    const About& about() const { return about_; }
    std::span<const Entry> find(u64 key) const;
    u64 key(u64 position) const { return keys_[position]; }
    std::span<const Entry> entries(u64 position) const {
        // A file may be forged so that its sum is right and its places are not.
        const u64 begin = first_[position], end = first_[position + 1];
        if (begin > end || end > about_.entries) return {};
        return {entries_ + begin, end - begin};
    }

  private:
    Book() = default;
    const char* map(const std::string& path);
    const char* check();

    About about_;
    const char* data_ = nullptr;
    std::size_t size_ = 0;
    std::vector<char> held_;  // where files cannot be mapped
    const u64* keys_ = nullptr;
    const u32* first_ = nullptr;  // the first entry of each position, and one more
    const Entry* entries_ = nullptr;
};

// Collects what was played. What exceeds the memory is sorted and laid aside in files.
class Builder {
  public:
    Builder(std::string path, std::string variant, std::size_t memory_bytes);
    ~Builder();

    TextError add(const std::vector<Played>& played, u64 games);
    TextError add(const Book& book);
    // Writes the book; positions that fewer games reached than `least` are left out.
    TextError finish(u32 least);
    const About& about() const { return about_; }

  private:
    TextError lay_aside();
    void compress();
    TextError make_room(std::size_t more);
    std::string run_name(std::size_t i) const { return path_ + ".run" + std::to_string(i); }

    const std::string path_;
    const std::size_t most_;  // rows in memory
    std::mutex lock_;
    std::vector<Row> rows_;
    std::size_t runs_ = 0;
    About about_;
};

}  // namespace cotulenh::book
