// A game under way as a value: what tree searches keep and what is written to files.
#pragma once

#include <cstring>
#include <optional>

#include "env/episode.hpp"

namespace cotulenh::env {

// An episode is written as its first position's number, its dice, and the moves played.
template <class G>
std::string dump(const Episode<G>& e) {
    std::string out;
    const auto put = [&](auto value) {
        for (std::size_t i = 0; i < sizeof value; ++i) out += char(u64(value) >> 8 * i & 0xFF);
    };
    put(u32(e.start()));
    put(u8(e.agent));
    put(u8(e.forfeited()));
    put(e.dice()), put(e.action_dice());
    put(u32(e.played().size()));
    for (const u32 move : e.played()) put(move);
    return out;
}

// Reads what dump wrote; nothing if the bytes are anything else.
template <class G>
class Loader {
  public:
    Loader(const Setting<G>& setting, std::string_view bytes) : setting_(setting), rest_(bytes) {}

    std::optional<Episode<G>> load() {
        Episode<G> e(setting_);
        const u32 start = take<u32>();
        const u8 agent = take<u8>(), forfeited = take<u8>();
        const u64 dice = take<u64>(), action_dice = take<u64>();
        const u32 moves = take<u32>();
        if (broken_ || start >= setting_.starts.size() || agent > 1 || forfeited > 1 ||
            rest_.size() != std::size_t(moves) * sizeof(u32))
            return std::nullopt;
        e.set_dice(dice, action_dice);
        e.agent = Side(agent);
        e.begin(setting_, int(start));
        for (u32 i = 0; i < moves; ++i)
            if (!play(e, take<u32>())) return std::nullopt;
        if (forfeited && e.over()) return std::nullopt;
        if (forfeited) e.forfeit();
        return e;
    }

  private:
    template <class T>
    T take() {
        if (rest_.size() < sizeof(T)) broken_ = true;
        if (broken_) return 0;
        u64 value = 0;
        for (std::size_t i = 0; i < sizeof(T); ++i) value |= u64(u8(rest_[i])) << 8 * i;
        rest_.remove_prefix(sizeof(T));
        return T(value);
    }

    bool play(Episode<G>& e, u32 bits) {
        const auto& moves = e.moves();
        for (std::size_t i = 0; i < moves.size(); ++i)
            if (moves[i].bits() == bits) {
                e.play(setting_, int(i));
                return true;
            }
        return false;
    }

    const Setting<G>& setting_;
    std::string_view rest_;
    bool broken_ = false;
};

}  // namespace cotulenh::env
