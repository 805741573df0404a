#include "games/book.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "games/hash.hpp"

#if !defined(_WIN32)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace cotulenh::book {
namespace {

constexpr char MAGIC[8] = {'c', 't', 'l', 'b', 'o', 'o', 'k', '\0'};
constexpr u32 VERSION = 1, ORDER = 0x01020304;  // the order of bytes is the writer's

// The file: this, the keys in rising order, where the entries of each begin, the entries.
struct FileHeader {
    char magic[8];
    u32 version, order;
    u64 games, positions, entries, checksum;
    char variant[64];
};
static_assert(sizeof(FileHeader) == 112);

// Words mixed one after another; parts of a file may come in any pieces of whole words.
class Checksum {
  public:
    void add(const void* data, std::size_t bytes) {
        const char* at = static_cast<const char*>(data);
        for (; bytes; --bytes, ++at) {
            word_ |= u64(u8(*at)) << 8 * filled_;
            if (++filled_ == 8) flush();
        }
    }
    // The same, a word at a time, when words are whole.
    void add_words(const char* at, std::size_t words) {
        for (; words; --words, at += 8) {
            std::memcpy(&word_, at, 8);
            flush();
        }
    }
    u64 value() {
        if (filled_) flush();
        return mix(sum_, 0);
    }

  private:
    void flush() {
        sum_ = mix(sum_, word_);
        word_ = 0;
        filled_ = 0;
    }
    u64 sum_ = 0, word_ = 0;
    int filled_ = 0;
};

bool before(const Row& a, const Row& b) {
    return a.key != b.key ? a.key < b.key : a.entry.move < b.entry.move;
}
bool same(const Row& a, const Row& b) { return a.key == b.key && a.entry.move == b.entry.move; }

void merge_into(Entry& a, const Entry& b) {
    const auto add = [](u32& x, u32 y) { x = x > ~y ? ~u32(0) : x + y; };
    const double sum = double(a.score) * a.scored + double(b.score) * b.scored;
    add(a.count, b.count), add(a.wins, b.wins), add(a.draws, b.draws), add(a.losses, b.losses);
    add(a.scored, b.scored);
    a.score = a.scored ? float(sum / a.scored) : 0;
}

Row row_of(const Played& p) {
    const bool scored = p.score != Played::NO_SCORE;
    return {p.key,
            {p.move, 1, p.outcome == Outcome::WIN, p.outcome == Outcome::DRAW,
             p.outcome == Outcome::LOSS, scored, scored ? float(p.score) : 0}};
}

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
File open_file(const std::string& path, const char* mode) {
    return {std::fopen(path.c_str(), mode), std::fclose};
}

TextError cannot(const char* what, const std::string& path) {
    return {0, std::string(what) + " " + path + ": " + std::strerror(errno)};
}

// Sorted rows, from memory or from a file that was laid aside.
class Source {
  public:
    explicit Source(const std::vector<Row>& rows) : at_(rows.data()), end_(at_ + rows.size()) {}
    explicit Source(const std::string& path) : file_(open_file(path, "rb")) {
        if (file_) fill();
    }
    const Row* peek() const { return at_ == end_ ? nullptr : at_; }
    void next() {
        if (++at_ == end_ && file_) fill();
    }

  private:
    void fill() {
        held_.resize(1 << 14);
        const std::size_t n = std::fread(held_.data(), sizeof(Row), held_.size(), file_.get());
        at_ = held_.data();
        end_ = at_ + n;
    }
    File file_{nullptr, std::fclose};
    std::vector<Row> held_;
    const Row *at_ = nullptr, *end_ = nullptr;
};

// Calls visit(rows of one position) over all sources in the order of keys.
template <class Visit>
void each_position(std::vector<Source>& sources, Visit&& visit) {
    std::vector<Row> rows;
    for (;;) {
        Source* least = nullptr;
        for (Source& s : sources)
            if (s.peek() && (!least || before(*s.peek(), *least->peek()))) least = &s;
        if (!rows.empty() && (!least || least->peek()->key != rows.front().key)) {
            visit(rows);
            rows.clear();
        }
        if (!least) return;
        if (!rows.empty() && same(rows.back(), *least->peek()))
            merge_into(rows.back().entry, least->peek()->entry);
        else
            rows.push_back(*least->peek());
        least->next();
    }
}

// The three parts of a book, written to files of their own and then put together.
class Writer {
  public:
    explicit Writer(const std::string& path) : path_(path) {
        for (int i = 0; i < 3; ++i) parts_.push_back(open_file(part(i), "w+b"));
    }
    ~Writer() {
        parts_.clear();
        for (int i = 0; i < 3; ++i) std::remove(part(i).c_str());
    }
    bool ready() const { return parts_[0] && parts_[1] && parts_[2]; }

    void put(const std::vector<Row>& rows) {
        const u32 first = u32(entries_);
        write(0, &rows.front().key, sizeof(u64));
        write(1, &first, sizeof first);
        for (const Row& row : rows) write(2, &row.entry, sizeof(Entry));
        ++positions_;
        entries_ += rows.size();
    }

    TextError finish(About& about) {
        const u32 end = u32(entries_), padding = 0;
        write(1, &end, sizeof end);
        if (positions_ % 2 == 0) write(1, &padding, sizeof padding);  // entries begin on a word
        if (entries_ >> 32) return {0, "a book holds at most 4294967295 moves: ask for more games"};
        about.positions = positions_;
        about.entries = entries_;
        const std::string fresh = path_ + ".new";
        {
            const File out = open_file(fresh, "w+b");
            if (!out) return cannot("cannot write", fresh);
            if (!together(out.get(), about)) return cannot("cannot write", fresh);
        }
        std::remove(path_.c_str());  // where renaming does not replace
        if (std::rename(fresh.c_str(), path_.c_str())) return cannot("cannot write", path_);
        return {};
    }

  private:
    std::string part(int i) const { return path_ + ".part" + std::to_string(i); }
    void write(int i, const void* data, std::size_t bytes) {
        fine_ &= std::fwrite(data, 1, bytes, parts_[std::size_t(i)].get()) == bytes;
    }

    bool together(std::FILE* out, const About& about) {
        FileHeader header{};
        std::memcpy(header.magic, MAGIC, sizeof MAGIC);
        header.version = VERSION;
        header.order = ORDER;
        header.games = about.games;
        header.positions = about.positions;
        header.entries = about.entries;
        std::memcpy(header.variant, about.variant.data(), about.variant.size());
        fine_ &= std::fwrite(&header, sizeof header, 1, out) == 1;
        Checksum sum;
        sum.add(&header, sizeof header);  // its own place is empty still
        std::vector<char> piece(1 << 16);
        for (const File& file : parts_) {
            if (std::fflush(file.get())) return false;  // a part that the disk has no room for
            std::rewind(file.get());
            for (std::size_t n; (n = std::fread(piece.data(), 1, piece.size(), file.get()));) {
                sum.add(piece.data(), n);
                fine_ &= std::fwrite(piece.data(), 1, n, out) == n;
            }
        }
        header.checksum = sum.value();
        std::rewind(out);
        fine_ &= std::fwrite(&header, sizeof header, 1, out) == 1 && std::fflush(out) == 0;
        return fine_;
    }

    const std::string path_;
    std::vector<File> parts_;
    u64 positions_ = 0, entries_ = 0;
    bool fine_ = true;
};

}  // namespace

// Reading ---------------------------------------------------------------------------------------

std::shared_ptr<const Book> Book::open(const std::string& path, TextError& error) {
    std::shared_ptr<Book> book(new Book);
    const char* wrong = book->map(path);
    if (!wrong) wrong = book->check();
    if (!wrong) return book;
    error = {0, path + ": " + wrong};
    return nullptr;
}

#if defined(_WIN32)
const char* Book::map(const std::string& path) {
    const File file = open_file(path, "rb");
    if (!file) return "cannot be opened";
    std::vector<char> piece(1 << 20);
    for (std::size_t n; (n = std::fread(piece.data(), 1, piece.size(), file.get()));)
        held_.insert(held_.end(), piece.begin(), piece.begin() + std::ptrdiff_t(n));
    data_ = held_.data();
    size_ = held_.size();
    return nullptr;
}
Book::~Book() = default;
#else
const char* Book::map(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return "cannot be opened";
    struct stat about{};
    const bool plain = ::fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0;
    void* found = plain
                      ? ::mmap(nullptr, std::size_t(about.st_size), PROT_READ, MAP_SHARED, file, 0)
                      : MAP_FAILED;
    ::close(file);
    if (found == MAP_FAILED) return "not a book";
    data_ = static_cast<const char*>(found);
    size_ = std::size_t(about.st_size);
    return nullptr;
}
Book::~Book() {
    if (data_) ::munmap(const_cast<char*>(data_), size_);
}
#endif

const char* Book::check() {
    FileHeader header;
    if (size_ < sizeof header) return "not a book";
    std::memcpy(&header, data_, sizeof header);
    if (std::memcmp(header.magic, MAGIC, sizeof MAGIC)) return "not a book";
    if (header.order != ORDER) return "a book of a machine with another order of bytes";
    if (header.version != VERSION) return "a book of another version of this program";
    if (header.positions > size_ || header.entries > size_) return "damaged: its size is wrong";
    const u64 starts = (header.positions + 2) / 2 * 2 * sizeof(u32);
    const u64 body = header.positions * sizeof(u64) + starts + header.entries * sizeof(Entry);
    if (size_ != sizeof header + body) return "damaged: its size is wrong";
    const char* at = data_ + sizeof header;
    const u64 wanted = std::exchange(header.checksum, 0);
    Checksum sum;
    sum.add(&header, sizeof header);
    sum.add_words(at, body / 8);
    sum.add(at + body / 8 * 8, body % 8);
    if (sum.value() != wanted) return "damaged: the checksum is wrong";
    header.variant[sizeof header.variant - 1] = '\0';
    about_ = {header.variant, header.games, header.positions, header.entries};
    keys_ = reinterpret_cast<const u64*>(at);
    first_ = reinterpret_cast<const u32*>(at + header.positions * sizeof(u64));
    entries_ = reinterpret_cast<const Entry*>(at + header.positions * sizeof(u64) + starts);
    return nullptr;
}

std::span<const Entry> Book::find(u64 key) const {
    const u64* end = keys_ + about_.positions;
    const u64* found = std::lower_bound(keys_, end, key);
    if (found == end || *found != key) return {};
    return entries(u64(found - keys_));
}

// Building --------------------------------------------------------------------------------------

Builder::Builder(std::string path, std::string variant, std::size_t memory_bytes)
    : path_(std::move(path)), most_(std::max<std::size_t>(memory_bytes / sizeof(Row), 1024)) {
    about_.variant = std::move(variant);
    constexpr std::size_t MOST_RESERVED = std::size_t(1) << 24;
    rows_.reserve(std::min(most_, MOST_RESERVED));  // growing would take the double for a moment
}

Builder::~Builder() {
    for (std::size_t i = 0; i < runs_; ++i) std::remove(run_name(i).c_str());
}

// Equal rows become one: what has been seen before takes no more room.
void Builder::compress() {
    std::sort(rows_.begin(), rows_.end(), before);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (kept && same(rows_[kept - 1], rows_[i]))
            merge_into(rows_[kept - 1].entry, rows_[i].entry);
        else
            rows_[kept++] = rows_[i];
    }
    rows_.resize(kept);
}

TextError Builder::lay_aside() {
    const std::string name = run_name(runs_);
    const File file = open_file(name, "wb");
    if (!file) return cannot("cannot write", name);
    ++runs_;
    if (std::fwrite(rows_.data(), sizeof(Row), rows_.size(), file.get()) != rows_.size())
        return cannot("cannot write", name);
    rows_.clear();
    return {};
}

TextError Builder::make_room(std::size_t more) {
    if (rows_.size() + more <= most_) return {};
    compress();
    return rows_.size() + more > most_ / 2 ? lay_aside() : TextError{};
}

TextError Builder::add(const std::vector<Played>& played, u64 games) {
    const std::lock_guard guard(lock_);
    if (TextError error = make_room(played.size())) return error;
    for (const Played& p : played) rows_.push_back(row_of(p));
    about_.games += games;
    return {};
}

TextError Builder::add(const Book& book) {
    const std::lock_guard guard(lock_);
    for (u64 i = 0; i < book.about().positions; ++i) {
        const auto entries = book.entries(i);
        if (TextError error = make_room(entries.size())) return error;
        for (const Entry& entry : entries) rows_.push_back({book.key(i), entry});
    }
    about_.games += book.about().games;
    return {};
}

TextError Builder::finish(u32 least) {
    const std::lock_guard guard(lock_);
    if (about_.variant.size() >= sizeof FileHeader::variant)
        return {0, "a book holds 63 bytes for the name of its rule set, got " + about_.variant};
    compress();
    std::vector<Source> sources;
    for (std::size_t i = 0; i < runs_; ++i) sources.emplace_back(run_name(i));
    sources.emplace_back(rows_);
    Writer writer(path_);
    if (!writer.ready()) return cannot("cannot write", path_);
    each_position(sources, [&](const std::vector<Row>& rows) {
        u64 reached = 0;
        for (const Row& row : rows) reached += row.entry.count;
        if (reached >= least) writer.put(rows);
    });
    return writer.finish(about_);
}

}  // namespace cotulenh::book
