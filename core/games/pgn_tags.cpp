// The tags of a game: as the standard has them, and as they were meant.
#include <algorithm>
#include "games/pgn_text.hpp"

namespace cotulenh::pgn {
namespace {

class HeaderReader {
  public:
    HeaderReader(std::string_view text, std::size_t at, bool final, Header& out)
        : text_(text), at_(at), final_(final), out_(out) {}

    void read() {
        at_ = Blanks().skip(text_, at_);
        out_.start = out_.end = at_;
        while (!out_.cut && step()) {
        }
        if (!final_ && at_ >= text_.size()) out_.cut = true;
    }

  private:
    static constexpr std::size_t MOST_TAGS = 10'000;

    // One thing that may stand among tags; false when the moves begin.
    bool step() {
        Blanks blanks;
        at_ = blanks.skip(text_, at_);
        if (at_ >= text_.size()) return false;
        const char c = text_[at_];
        if (c == '%' && begins_line(text_, at_)) return skip(line_end(text_, at_), true);
        if (c == '{') return comment();
        if (c == ';') return line_comment();
        if (count_ && !blanks.new_line && is(c, LETTER) && words_only()) return true;
        if (c != '[' || !opens_tag(text_, at_)) return false;
        if (count_ && blanks.empty_line && begins_game()) {
            out_.alone = true;
            return false;
        }
        tag();
        return true;
    }

    // [Event "x"] and some words, to the end of the line or the next tag: without a digit or an
    // asterisk they are neither moves nor a result.
    bool words_only() {
        const std::size_t end = std::min(line_end(text_, at_), text_.find('[', at_));
        const std::string_view rest = text_.substr(at_, end - at_);
        if (rest.find_first_of("0123456789*{(") != rest.npos) return false;
        out_.notes.add(at_, "expected nothing behind a tag");
        skip(end, true);
        out_.end = at_;
        return true;
    }

    // Behind an empty line an Event, or the tag that this game began with, begins another.
    bool begins_game() const {
        if (starts(text_, at_, EVENT.substr(0, EVENT.size() - 1))) return true;
        if (out_.tags.empty()) return false;
        const std::string_view first = out_.tags.front().name;
        return starts(text_, at_ + 1, first) && starts(text_, at_ + 1 + first.size(), " ");
    }

    bool skip(std::size_t to, bool needs_line_end) {
        if (needs_line_end && !final_ && (to == text_.size() && text_[to - 1] != '\n'))
            out_.cut = true;
        at_ = to;
        return true;
    }

    bool comment() {
        const CommentEnd end = comment_end(text_, at_);
        if (!end.closed) {  // the reader of the moves has more to say about it
            if (!final_ && end.after == text_.size()) out_.cut = true;
            return false;
        }
        said_.push_back(text_.substr(at_ + 1, end.inside - at_ - 1));
        return skip(end.after, false);
    }

    bool line_comment() {
        const std::size_t end = line_end(text_, at_);
        said_.push_back(trimmed(text_.substr(at_ + 1, end - at_ - 1)));
        return skip(end, true);
    }

    void tag() {
        // What was said before this tag stands among the tags; what follows the last does not.
        out_.comments.insert(out_.comments.end(), said_.begin(), said_.end());
        said_.clear();
        if (line_ < at_) line_ = text_.find('\n', at_);  // many tags may stand on one line
        if (!final_ && line_ == text_.npos) {
            out_.cut = true;
            return;
        }
        if (!strict()) lenient();
        out_.end = at_;
        ++count_;
    }

    void keep(const Tag& tag, std::size_t at) {
        if (count_ < MOST_TAGS) return out_.tags.push_back(tag);
        if (count_ == MOST_TAGS) out_.notes.add(at, "more than 10000 tags: the rest is left out");
    }

    std::size_t spaces(std::size_t i) const {
        while (i < text_.size() && is(text_[i], BLANK)) ++i;
        return i;
    }

    // [Name "value"], quotes and backslashes escaped.
    bool strict() {
        std::size_t i = spaces(at_ + 1);
        const std::size_t name = i;
        while (i < text_.size() && is_name(text_[i])) ++i;
        if (i == name) return false;
        Tag tag{text_.substr(name, i - name), {}};
        i = spaces(i);
        if (i >= text_.size() || text_[i] != '"') return false;
        const std::size_t value = ++i;
        for (; i < text_.size() && text_[i] != '"'; ++i) {
            if (text_[i] == '\n' || text_[i] == '\r') return false;
            if (text_[i] != '\\') continue;
            tag.escaped = true;
            if (i + 1 < text_.size() && (text_[i + 1] == '"' || text_[i + 1] == '\\')) ++i;
        }
        if (i >= text_.size()) return false;
        tag.value = text_.substr(value, i - value);
        i = spaces(i + 1);
        if (i >= text_.size() || text_[i] != ']') return false;
        keep(tag, at_);
        at_ = i + 1;
        return true;
    }

    // A line that is meant as a tag. Its end may stand on the next line.
    void lenient() {
        out_.notes.add(at_, "expected a tag: [Name \"value\"]");
        const std::size_t line = line_end(text_, at_);
        std::size_t end = text_.substr(at_, line - at_).rfind(']');
        if (end != text_.npos) end += at_;
        std::size_t after = end + 1;
        if (end == text_.npos) {
            end = after = closed_below(line);
            if (after != line) ++after;
        }
        std::string_view inside = trimmed(text_.substr(at_ + 1, end - at_ - 1));
        std::size_t n = 0;
        while (n < inside.size() && in_odd_name(inside[n])) ++n;
        std::string_view value = trimmed(inside.substr(n));
        if (!value.empty() && (value[0] == '=' || value[0] == ':'))  // [White = "Anna"]
            value = trimmed(value.substr(1));
        if (n > 1 && (inside[n - 1] == ':' || inside[n - 1] == '=')) --n;
        if (const std::size_t quote = in_two_words(inside, n)) {
            n = trimmed(inside.substr(0, quote)).size();
            value = inside.substr(quote);
        }
        Tag tag{inside.substr(0, n), unquoted(value)};
        tag.escaped = tag.value.find('\\') != tag.value.npos;
        if (!tag.name.empty()) keep(tag, at_);
        at_ = after;
    }

    // Others' names hold more than letters, digits and underscores.
    // [White Elo "2000"]: where the quote stands, if the name is meant to have a blank.
    static std::size_t in_two_words(std::string_view inside, std::size_t first) {
        const std::size_t quote = inside.find('"');
        if (quote == inside.npos || inside.back() != '"' || quote + 1 == inside.size()) return 0;
        if (inside.find('"', quote + 1) != inside.size() - 1) return 0;
        for (std::size_t i = first; i < quote; ++i)
            if (!is_name(inside[i]) && inside[i] != ' ') return 0;
        return is_name(inside[std::min(first + 1, quote)]) ? quote : 0;
    }

    static bool in_odd_name(char c) {
        return u8(c) > ' ' && c != 127 && c != '"' && c != '[' && c != ']';
    }

    // The bracket at the end of the line at `next`, if that line goes on with a value; else `next`.
    std::size_t closed_below(std::size_t next) const {
        if (next >= text_.size() || text_[next] == '[') return next;
        const std::size_t end = line_end(text_, next);
        const std::string_view line = trimmed(text_.substr(next, end - next));
        if (line.size() < 2 || line.substr(line.size() - 2) != "\"]") return next;
        return std::size_t(line.data() - text_.data()) + line.size() - 1;
    }

    static std::string_view unquoted(std::string_view s) {
        for (const std::string_view quote : {"\"", "\xE2\x80\x9C", "\xE2\x80\x9D", "'"}) {
            if (s.size() >= quote.size() && s.substr(0, quote.size()) == quote)
                s.remove_prefix(quote.size());
            if (s.size() >= quote.size() && s.substr(s.size() - quote.size()) == quote)
                s.remove_suffix(quote.size());
        }
        return s;
    }

    std::string_view text_;
    std::size_t at_;
    bool final_;
    Header& out_;
    std::vector<std::string_view> said_;
    std::size_t count_ = 0, line_ = 0;
};

}  // namespace

std::string Tag::key() const {
    std::string out(name);
    std::replace(out.begin(), out.end(), ' ', '_');
    return out;
}

std::string Tag::text() const {
    std::string out;
    out.reserve(value.size());
    for (std::size_t i = 0; i < value.size(); ++i) {
        const char next = i + 1 < value.size() ? value[i + 1] : '\0';
        if (value[i] == '\\' && (next == '"' || next == '\\')) ++i;
        if (value[i] == '\r' && next == '\n') continue;  // the end of a line is one space
        out += value[i] == '\n' || value[i] == '\r' ? ' ' : value[i];
    }
    return out;
}

std::string_view Header::get(std::string_view name) const {
    for (auto tag = tags.rbegin(); tag != tags.rend(); ++tag)
        if (tag->name == name) return tag->value;
    return {};
}

bool Header::has(std::string_view name) const {
    return std::any_of(tags.begin(), tags.end(), [&](const Tag& tag) { return tag.name == name; });
}

void read_header(std::string_view text, std::size_t at, bool final, Header& out) {
    out.tags.clear();
    out.comments.clear();
    out.notes.clear();
    out.cut = out.alone = false;
    HeaderReader(text, at, final, out).read();
}

}  // namespace cotulenh::pgn
