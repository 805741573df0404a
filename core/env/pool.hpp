// Threads that share out numbered pieces of work.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#if defined(_WIN32)
#include <process.h>
#else
#include <unistd.h>
#endif

namespace cotulenh::env {

class Pool {
  public:
    using Work = std::function<void(int item, int worker)>;

    explicit Pool(int threads) {
        for (int i = 0; i < threads; ++i) threads_.emplace_back([this, i] { serve(i); });
    }
    ~Pool() {
        wait();
        {
            const std::lock_guard lock(mutex_);
            closing_ = true;
        }
        changed_.notify_all();
        for (std::thread& t : threads_) t.join();
    }
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    // Threads do not follow into a process that was forked off: nobody would do the work there, or
    // could be joined.
    bool left_behind() const { return process_ != getpid(); }

    // Begins work on the items 0 to n - 1; the work before must have been waited for.
    void start(int n, Work work) {
        {
            const std::lock_guard lock(mutex_);
            work_ = std::move(work);
            items_ = n;
            next_ = 0;
            busy_ = int(threads_.size());
            ++round_;
        }
        changed_.notify_all();
    }

    void wait() {
        std::unique_lock lock(mutex_);
        done_.wait(lock, [this] { return busy_ == 0; });
    }

  private:
    static constexpr int CHUNK = 4;  // items taken at a time

    void serve(int worker) {
        unsigned seen = 0;
        for (;;) {
            {
                std::unique_lock lock(mutex_);
                changed_.wait(lock, [&] { return closing_ || round_ != seen; });
                if (closing_) return;
                seen = round_;
            }
            for (int first; (first = next_.fetch_add(CHUNK)) < items_;)
                for (int i = first; i < std::min(first + CHUNK, items_); ++i) work_(i, worker);
            const std::lock_guard lock(mutex_);
            if (--busy_ == 0) done_.notify_all();
        }
    }

    const int process_ = getpid();
    std::vector<std::thread> threads_;
    std::mutex mutex_;
    std::condition_variable changed_, done_;
    Work work_;
    std::atomic<int> next_{0};
    int items_ = 0, busy_ = 0;
    unsigned round_ = 0;
    bool closing_ = false;
};

}  // namespace cotulenh::env
