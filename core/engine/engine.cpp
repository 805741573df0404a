#include "engine/engine.hpp"

#if defined(__unix__)
#include <unistd.h>
#endif

namespace cotulenh::engine {

template class ThreadPool<ctl::Position>;
template class ThreadPool<chess::Position>;
template class Worker<ctl::Position>;
template class Worker<chess::Position>;

namespace {

// The legal moves of the root, or those of them that were asked for.
template <Playable P>
std::vector<typename P::Move> root_moves(P root, const std::optional<std::vector<u32>>& only,
                                         Started& problem) {
    MoveList<typename P::Move> legal;
    root.legal_moves(legal);
    std::vector<typename P::Move> out;
    for (const auto m : legal)
        if (!only || std::find(only->begin(), only->end(), u32(m.bits())) != only->end())
            out.push_back(m);
    if (out.empty()) problem = legal.empty() ? Started::NO_LEGAL_MOVES : Started::NO_ROOT_MOVES;
    return out;
}

}  // namespace

std::size_t physical_memory_mb() {
#if defined(__unix__)
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
    if (pages > 0 && size > 0) return std::size_t(pages) / 1024 * std::size_t(size) / 1024;
#endif
    return 1 << 20;
}

Engine::~Engine() {
    stop(0);
    join();
}

template <Playable P>
Started Engine::start(const Root<P>& root, const Limit& limit, const Options& options,
                      std::shared_ptr<const void> owner) {
    const std::unique_lock alone(setting_up_, std::try_to_lock);
    if (!alone || is_searching()) return Started::BUSY;
    Started problem = Started::OK;
    std::vector<typename P::Move> moves = root_moves(root.position, options.root_moves, problem);
    if (problem != Started::OK) return problem;
    join();
    ThreadPool<P>& pool = pool_for<P>(std::move(owner));
    pool.prepare(
        {root.position, root.keys, std::move(moves), limit, options.multipv, options.ponder},
        *table_, settings<P>(), [this](const Report& r) { push(r); });
    run([&pool] { pool.run(); });
    return Started::OK;
}

template Started Engine::start(const Root<ctl::Position>&, const Limit&, const Options&,
                               std::shared_ptr<const void>);
template Started Engine::start(const Root<chess::Position>&, const Limit&, const Options&,
                               std::shared_ptr<const void>);

// Another game or rule set starts with an empty table: the same key may mean something else.
template <Playable P>
ThreadPool<P>& Engine::pool_for(std::shared_ptr<const void> owner) {
    if (!table_) table_ = std::make_unique<TranspositionTable>(hash_mb_);
    auto* pool = dynamic_cast<ThreadPool<P>*>(pool_.get());
    if (pool && owner == owner_) return *pool;
    const bool changed = pool_ != nullptr;
    pool_ = std::make_unique<ThreadPool<P>>(threads_);
    pool_->collect_statistics(sample_every_);
    owner_ = std::move(owner);
    if (changed) table_->clear();
    return static_cast<ThreadPool<P>&>(*pool_);
}

void Engine::run(std::function<void()> search) {
    const std::lock_guard lock(mutex_);
    reports_.clear();
    finished_ = false;
    ++ticket_;
    thread_ = std::thread([this, search = std::move(search)] {
        search();
        const std::lock_guard lock(mutex_);
        best_ = {pool_->best(), pool_->ponder()};
        finished_ = true;
        changed_.notify_all();
    });
}

Waited Engine::next(Ticket ticket, std::chrono::milliseconds patience, Report& out) {
    std::unique_lock lock(mutex_);
    const auto ready = [&] { return ticket != ticket_ || !reports_.empty() || finished_; };
    if (!changed_.wait_for(lock, patience, ready)) return Waited::NOTHING;
    if (ticket != ticket_ || reports_.empty()) return Waited::OVER;
    out = std::move(reports_.front());
    reports_.pop_front();
    return Waited::REPORT;
}

std::optional<std::pair<u32, u32>> Engine::best(Ticket ticket) const {
    const std::lock_guard lock(mutex_);
    if (ticket != ticket_ || !finished_ || ticket == 0) return std::nullopt;
    return best_;
}

void Engine::stop(Ticket ticket) {
    const std::lock_guard lock(mutex_);
    if ((ticket && ticket != ticket_) || finished_) return;
    pool_->stop();
}

// Who ends whatever is under way also ends what is just being set up.
void Engine::finish(Ticket ticket) {
    std::unique_lock alone(setting_up_, std::defer_lock);
    if (!ticket) alone.lock();
    stop(ticket);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return finished_ || (ticket && ticket != ticket_); });
}

void Engine::ponderhit() {
    const std::lock_guard lock(mutex_);
    if (!finished_) pool_->ponderhit();
}

bool Engine::new_game() {
    return change([this] {
        if (table_) table_->clear();
        if (pool_) pool_->clear();
    });
}

void Engine::collect_statistics(int sample_every) {
    sample_every_ = sample_every;
    if (pool_) pool_->collect_statistics(sample_every);
}

Statistics Engine::statistics() const { return pool_ ? pool_->statistics() : Statistics{}; }

bool Engine::is_searching() const {
    const std::lock_guard lock(mutex_);
    return !finished_;
}

Engine::Ticket Engine::ticket() const {
    const std::lock_guard lock(mutex_);
    return ticket_;
}

void Engine::set_features(u32 features) {
    std::apply([&](auto&... s) { ((s.features = features), ...); }, settings_);
}

void Engine::set_parameters(const Parameters& parameters) {
    std::apply([&](auto&... s) { ((s.parameters = parameters), ...); }, settings_);
}

void Engine::push(const Report& report) {
    const std::lock_guard lock(mutex_);
    reports_.push_back(report);
    changed_.notify_all();
}

void Engine::join() {
    if (thread_.joinable()) thread_.join();
}

}  // namespace cotulenh::engine
