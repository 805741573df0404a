// A game, step by step: bytes are moves, take-backs, null moves, commits, raw bits. Cheap laws are
// looked at after every step, those that need all legal moves in some executions; at the end
// everything is taken back.
#include "laws.hpp"

using namespace fuzz;

namespace {

template <class G>
class Player {
  public:
    using P = typename G::Position;
    using Move = typename P::Move;

    // Set-ups are sorted by weight; the light ones are taken most often.
    Player(int way, int n) : board_(position<G>(way, n * n / 600)) { look(); }

    void step(Bytes& in) {
        const u8 what = in.byte();
        if (what < 0xA0)
            push_one_of(in.byte());
        else if (what < 0xC0)
            pop();
        else if (what < 0xC8)
            undo();
        else if (what < 0xD0)
            pass();
        else if (what < 0xE8)
            push_if_legal(G::commit(p()));
        else
            push_if_legal(Move::from_bits(in.four()));
    }

    // Chosen by a hash of the input, so that the fuzzer cannot learn to do nothing else.
    void dear(u64 hash) {
        if (hash % 32) return;
        MoveList<Move> moves;
        p().legal_moves(moves);
        cheap_laws<G>(p(), moves);
        law_legal_means_listed<G>(p(), u32(hash), moves);
        text(moves);
        if (hash % 128 == 0) dear_laws<G>(p(), moves);
        if (hash % 2048 == 0) dearest_laws<G>(p(), moves);
    }

    void take_everything_back() {
        while (board_.ply()) pop();
    }

  private:
    P& p() { return board_.position(); }

    void look() { LAW(p().key() == p().key_from_scratch(), write_fen(p())); }
    void push(Move m) {
        digests_.push_back(G::digest(p()));
        board_.push(m);
        look();
    }
    // To ask one move whether it is legal takes a fraction of the time of listing all that are.
    void push_one_of(int n) {
        MoveList<Move> moves;
        p().pseudo_legal_moves(moves);
        for (int i = 0; i < moves.size() && i < 4; ++i) {
            const Move m = moves[(n + i) % moves.size()];
            if (p().is_legal(m)) return push(m);
        }
    }
    void push_if_legal(Move m) {
        const u64 before = G::digest(p());
        const bool legal = m && p().is_legal(m);
        if (!legal) LAW(!why_illegal(p(), m).empty(), write_fen(p()));
        LAW(G::digest(p()) == before, write_fen(p()));
        if (legal) push(m);
    }
    void pass() {
        if (!G::may_pass(p())) return;
        digests_.push_back(G::digest(p()));
        board_.push_null();
        look();
    }
    void pop() {
        if (!board_.ply()) return;
        board_.pop();
        compare();
    }
    void undo() {
        if (!board_.ply()) return;
        board_.undo();
        compare();
    }
    void compare() {
        LAW(G::digest(p()) == digests_[std::size_t(board_.ply())], write_fen(p()));
        digests_.resize(std::size_t(board_.ply()));
    }
    void text(const MoveList<Move>& moves) {
        if (!moves.empty()) law_texts_round_trip<G>(p(), moves[0]);
        LAW(board_.turns().size() == board_.history(true).size(), write_fen(p()));
        board_.outcome();
    }

    Board<P> board_;
    std::vector<u64> digests_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const u8* data, std::size_t size) {
    Bytes in(data, size);
    const int way = in.byte();
    Player<GAME> player(way, in.byte());
    while (!in.done()) player.step(in);
    u64 hash = size;
    for (std::size_t i = 0; i < size; ++i) hash = mix(hash, data[i]);
    player.dear(hash >> 32);
    player.take_everything_back();
    return 0;
}
