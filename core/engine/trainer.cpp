#include "engine/trainer.hpp"

#include <cmath>
#include <numeric>

#include "engine/simd.hpp"
#include "games/hash.hpp"

namespace cotulenh::engine {
namespace {

constexpr float MEAN_KEPT = 0.9F, SQUARE_KEPT = 0.999F, LEAST = 1e-8F;

// The loops that take the time, over the sums of one row. H is a multiple of 16 (see Trainer).

COTULENH_INLINE void add_rows_body(const float* COTULENH_RESTRICT table, const u16* rows, int n,
                                   float* COTULENH_RESTRICT sums, int h) {
    for (int r = 0; r < n; ++r) {
        const float* COTULENH_RESTRICT row = table + std::size_t(rows[r]) * std::size_t(h);
        for (int i = 0; i < h; ++i) sums[i] += row[i];
    }
}

COTULENH_INLINE void spread_body(float* COTULENH_RESTRICT table, const u16* rows, int n,
                                 const float* COTULENH_RESTRICT what, int h) {
    for (int r = 0; r < n; ++r) {
        float* COTULENH_RESTRICT row = table + std::size_t(rows[r]) * std::size_t(h);
        for (int i = 0; i < h; ++i) row[i] += what[i];
    }
}

// Clamps the sums, returns their squares weighed and summed up.
COTULENH_INLINE float output_body(float* COTULENH_RESTRICT sums,
                                  const float* COTULENH_RESTRICT weights, int h) {
    float part[16]{};
    for (int i = 0; i < h; i += 16)
        for (int k = 0; k < 16; ++k) {
            const float v = std::min(std::max(sums[i + k], 0.0F), 1.0F);
            sums[i + k] = v;
            part[k] += v * v * weights[i + k];
        }
    return std::accumulate(part, part + 16, 0.0F);
}

// From clamped sums to their gradients, and the gradient of the last layer. A sum that was cut off
// does not move: at 0 its square's slope is 0 by itself, at 1 it must be said.
COTULENH_INLINE void back_body(float* COTULENH_RESTRICT sums,
                               const float* COTULENH_RESTRICT weights,
                               float* COTULENH_RESTRICT last, float wrong, int h) {
    for (int i = 0; i < h; ++i) {
        const float v = sums[i];
        last[i] += wrong * v * v;
        sums[i] = v < 1.0F ? 2 * v * weights[i] * wrong : 0.0F;
    }
}

COTULENH_INLINE void adam_body(float* COTULENH_RESTRICT w, float* COTULENH_RESTRICT m,
                               float* COTULENH_RESTRICT v, const float* COTULENH_RESTRICT g, int n,
                               float rate, float mean_fix, float square_fix, float decay,
                               float most) {
    for (int i = 0; i < n; ++i) {
        m[i] = MEAN_KEPT * m[i] + (1 - MEAN_KEPT) * g[i];
        v[i] = SQUARE_KEPT * v[i] + (1 - SQUARE_KEPT) * g[i] * g[i];
        const float step = m[i] * mean_fix / (std::sqrt(v[i] * square_fix) + LEAST);
        w[i] = std::min(std::max(w[i] - rate * (step + decay * w[i]), -most), most);
    }
}

struct Plain {
    static void add_rows(const float* t, const u16* r, int n, float* s, int h) {
        add_rows_body(t, r, n, s, h);
    }
    static void spread(float* t, const u16* r, int n, const float* what, int h) {
        spread_body(t, r, n, what, h);
    }
    static float output(float* s, const float* w, int h) { return output_body(s, w, h); }
    static void back(float* s, const float* w, float* l, float wrong, int h) {
        back_body(s, w, l, wrong, h);
    }
    static void adam(float* w, float* m, float* v, const float* g, int n, float rate, float mf,
                     float sf, float decay, float most) {
        adam_body(w, m, v, g, n, rate, mf, sf, decay, most);
    }
};

#if COTULENH_TWO_BUILDS
struct Wide {
    COTULENH_AVX2 static void add_rows(const float* t, const u16* r, int n, float* s, int h) {
        add_rows_body(t, r, n, s, h);
    }
    COTULENH_AVX2 static void spread(float* t, const u16* r, int n, const float* what, int h) {
        spread_body(t, r, n, what, h);
    }
    COTULENH_AVX2 static float output(float* s, const float* w, int h) {
        return output_body(s, w, h);
    }
    COTULENH_AVX2 static void back(float* s, const float* w, float* l, float wrong, int h) {
        back_body(s, w, l, wrong, h);
    }
    COTULENH_AVX2 static void adam(float* w, float* m, float* v, const float* g, int n, float rate,
                                   float mf, float sf, float decay, float most) {
        adam_body(w, m, v, g, n, rate, mf, sf, decay, most);
    }
};
#else
using Wide = Plain;
#endif

struct Kernels {
    decltype(&Plain::add_rows) add_rows;
    decltype(&Plain::spread) spread;
    decltype(&Plain::output) output;
    decltype(&Plain::back) back;
    decltype(&Plain::adam) adam;
};

template <class Build>
constexpr Kernels kernels_of() {
    return {&Build::add_rows, &Build::spread, &Build::output, &Build::back, &Build::adam};
}

const Kernels& kernels() {
    static const Kernels chosen = processor_has_avx2() ? kernels_of<Wide>() : kernels_of<Plain>();
    return chosen;
}

float logistic(float x) { return 1 / (1 + std::exp(-x)); }

// Between -1 and 1, evenly.
float random_float(u64& seed) { return float(std::int64_t(next_key(seed)) * 0x1p-63); }

// What a lesson says the side to move may hope for, from 0 to 1.
float target(const Lessons& lessons, u32 i, const TrainingOptions& o) {
    const float said = logistic(o.scale * float(lessons.score[i]));
    if (lessons.result[i] == NO_RESULT) return said;
    return o.trust * float(lessons.result[i]) / 2 + (1 - o.trust) * said;
}

// Cross-entropy above its least possible value, so that a perfect network has none.
double surprise(float p, float t) {
    const auto part = [](double share, double guess) {
        return share > 0 ? share * std::log(share / std::max(guess, 1e-9)) : 0;
    };
    return part(t, p) + part(1 - t, 1 - p);
}

// Runs work(i) for i below n, each in its own thread, the last one here.
template <class Work>
void in_parallel(int n, Work&& work) {
    std::vector<std::thread> threads;
    for (int i = 0; i + 1 < n; ++i) threads.emplace_back([&work, i] { work(i); });
    work(n - 1);
    for (auto& t : threads) t.join();
}

}  // namespace

struct Trainer::Thread {
    std::vector<float> rows, bias, last, offset, scratch;
    std::vector<u8> touched;
    double loss = 0;
    explicit Thread(const TrainerShape& s)
        : rows(std::size_t(s.inputs * s.hidden)),
          bias(std::size_t(s.hidden)),
          last(std::size_t(s.buckets * 2 * s.hidden)),
          offset(std::size_t(s.buckets)),
          scratch(std::size_t(2 * s.hidden)),
          touched(std::size_t(s.inputs)) {}
};

Trainer::Trainer(TrainerShape shape, u64 seed) : shape_(std::move(shape)), seed_(seed) {
    const auto h = std::size_t(shape_.hidden);
    own_.resize(std::size_t(shape_.inputs) * h);
    bias_.resize(h);
    last_.resize(std::size_t(shape_.buckets) * 2 * h);
    offset_.resize(std::size_t(shape_.buckets));
    for (const auto& group : shape_.groups) {
        const u32 rows = group.empty() ? 0 : *std::max_element(group.begin(), group.end()) + 1;
        shared_.emplace_back().resize(rows * h);
        for (float& w : shared_.back().value) w = 0.06F * random_float(seed_);
    }
    if (shared_.empty())
        for (float& w : own_.value) w = 0.06F * random_float(seed_);
    for (float& w : bias_.value) w = 0.1F;
    for (float& w : last_.value) w = 0.04F * random_float(seed_);
    touched_.resize(std::size_t(shape_.inputs));
    sum_ = first();
}

Trainer::~Trainer() = default;

bool Trainer::start_from(std::vector<float> first, std::vector<float> bias, std::vector<float> last,
                         std::vector<float> offset) {
    const auto same = [](const auto& a, const Learned& b) { return a.size() == b.value.size(); };
    if (!same(first, own_) || !same(bias, bias_) || !same(last, last_) || !same(offset, offset_))
        return false;
    own_.value = sum_ = std::move(first);
    bias_.value = std::move(bias), last_.value = std::move(last);
    offset_.value = std::move(offset);
    for (Learned& rows : shared_) std::fill(rows.value.begin(), rows.value.end(), 0.0F);
    return true;
}

std::vector<float> Trainer::first() const {
    const auto h = std::size_t(shape_.hidden);
    std::vector<float> out = own_.value;
    for (std::size_t g = 0; g < shared_.size(); ++g)
        for (std::size_t i = 0; i < std::size_t(shape_.inputs); ++i)
            for (std::size_t k = 0; k < h; ++k)
                out[i * h + k] += shared_[g].value[shape_.groups[g][i] * h + k];
    for (float& w : out) w = std::clamp(w, -MOST, MOST);
    return out;
}

// Every position once before any comes twice, each time in another order.
void Trainer::next_order(std::size_t n) {
    if (order_.size() != n) {
        order_.resize(n);
        std::iota(order_.begin(), order_.end(), 0U);
    }
    for (std::size_t i = n; i > 1; --i) std::swap(order_[i - 1], order_[next_key(seed_) % i]);
    at_ = 0;
}

void Trainer::gather(const Lessons& lessons, const u32* chosen, std::size_t n,
                     const TrainingOptions& o, Thread& thread) const {
    const Kernels& k = kernels();
    const int h = shape_.hidden;
    float* const sums = thread.scratch.data();
    for (std::size_t j = 0; j < n; ++j) {
        const u32 i = chosen[j];
        const u16* const rows = lessons.inputs.data() + lessons.start[i];
        const int each = int(lessons.start[i + 1] - lessons.start[i]) / 2;
        const std::size_t bucket = lessons.bucket[i];
        const float* const weights = last_.value.data() + bucket * std::size_t(2 * h);
        for (int view = 0; view < 2; ++view) {
            std::copy_n(bias_.value.data(), h, sums + view * h);
            k.add_rows(sum_.data(), rows + view * each, each, sums + view * h, h);
        }
        const float said = k.output(sums, weights, 2 * h) + offset_.value[bucket];
        const float base = o.beside_terms ? float(lessons.terms[i]) : 0.0F;
        const float p = logistic(o.scale * (base + CENTIPAWNS * said));
        const float t = target(lessons, i, o);
        thread.loss += surprise(p, t);
        const float wrong = (p - t) * CENTIPAWNS * o.scale;
        thread.offset[bucket] += wrong;
        k.back(sums, weights, thread.last.data() + bucket * std::size_t(2 * h), wrong, 2 * h);
        for (int view = 0; view < 2; ++view) {
            k.spread(thread.rows.data(), rows + view * each, each, sums + view * h, h);
            for (int c = 0; c < h; ++c) thread.bias[std::size_t(c)] += sums[view * h + c];
        }
        for (int r = 0; r < 2 * each; ++r) thread.touched[rows[r]] = 1;
    }
}

// The columns of the first layer from `begin` to `end`: threads do not meet in them.
void Trainer::step_columns(const TrainingOptions& o, float rate, int begin, int end) {
    const auto h = std::size_t(shape_.hidden);
    const int n = end - begin;
    const float mean_fix = 1 / (1 - std::pow(MEAN_KEPT, float(steps_)));
    const float square_fix = 1 / (1 - std::pow(SQUARE_KEPT, float(steps_)));
    const auto adam = [&](Learned& p, std::size_t at, float decay, float most) {
        kernels().adam(&p.value[at], &p.mean[at], &p.square[at], &p.gradient[at], n, rate, mean_fix,
                       square_fix, decay, most);
    };
    for (std::size_t i = 0; i < touched_.size(); ++i) {
        if (!touched_[i]) continue;
        const std::size_t at = i * h + std::size_t(begin);
        std::fill_n(&own_.gradient[at], n, 0.0F);
        for (auto& thread : threads_)
            for (int c = 0; c < n; ++c) {
                own_.gradient[at + std::size_t(c)] += thread->rows[at + std::size_t(c)];
                thread->rows[at + std::size_t(c)] = 0;
            }
        for (std::size_t g = 0; g < shared_.size(); ++g) {
            float* const sum = &shared_[g].gradient[shape_.groups[g][i] * h + std::size_t(begin)];
            for (int c = 0; c < n; ++c) sum[c] += own_.gradient[at + std::size_t(c)];
        }
    }
    for (Learned& p : shared_)
        for (std::size_t at = std::size_t(begin); at < p.value.size(); at += h) {
            adam(p, at, 0, MOST);
            std::fill_n(&p.gradient[at], n, 0.0F);
        }
    for (std::size_t i = 0; i < touched_.size(); ++i) {
        if (!touched_[i]) continue;
        const std::size_t at = i * h + std::size_t(begin);
        adam(own_, at, o.decay, MOST);
        std::copy_n(&own_.value[at], n, &sum_[at]);
        for (std::size_t g = 0; g < shared_.size(); ++g) {
            const float* const row =
                &shared_[g].value[shape_.groups[g][i] * h + std::size_t(begin)];
            for (int c = 0; c < n; ++c) sum_[at + std::size_t(c)] += row[c];
        }
        for (int c = 0; c < n; ++c)
            sum_[at + std::size_t(c)] = std::clamp(sum_[at + std::size_t(c)], -MOST, MOST);
    }
}

// Bias, last layer and offsets.
void Trainer::step_small(const TrainingOptions& o, float rate) {
    const float mean_fix = 1 / (1 - std::pow(MEAN_KEPT, float(steps_)));
    const float square_fix = 1 / (1 - std::pow(SQUARE_KEPT, float(steps_)));
    const auto learn = [&](Learned& p, std::vector<float> Thread::* part, float decay) {
        std::fill(p.gradient.begin(), p.gradient.end(), 0.0F);
        for (auto& thread : threads_) {
            auto& from = (*thread).*part;
            for (std::size_t i = 0; i < from.size(); ++i) p.gradient[i] += from[i], from[i] = 0;
        }
        kernels().adam(p.value.data(), p.mean.data(), p.square.data(), p.gradient.data(),
                       int(p.value.size()), rate, mean_fix, square_fix, decay, MOST);
    };
    learn(bias_, &Thread::bias, 0);
    learn(last_, &Thread::last, o.decay);
    learn(offset_, &Thread::offset, 0);
}

void Trainer::step(const TrainingOptions& o, float rate) {
    ++steps_;
    for (auto& thread : threads_)
        for (std::size_t i = 0; i < touched_.size(); ++i) touched_[i] |= thread->touched[i];
    const int n = int(threads_.size()), h = shape_.hidden;
    in_parallel(n, [&](int i) { step_columns(o, rate, h * i / n, h * (i + 1) / n); });
    step_small(o, rate);
}

double Trainer::train(const Lessons& lessons, const TrainingOptions& o) {
    threads_.clear();
    for (int i = 0; i < o.threads; ++i) threads_.push_back(std::make_unique<Thread>(shape_));
    if (order_.size() != lessons.size()) next_order(lessons.size());
    const std::size_t batch = std::min(o.batch, lessons.size());
    double loss = 0;
    for (std::size_t b = 0; b < o.batches; ++b) {
        if (at_ + batch > order_.size()) next_order(order_.size());
        const u32* const chosen = order_.data() + at_;
        at_ += batch;
        const std::size_t n = threads_.size();
        in_parallel(int(n), [&](int i) {
            const std::size_t begin = batch * std::size_t(i) / n,
                              end = batch * std::size_t(i + 1) / n;
            gather(lessons, chosen + begin, end - begin, o, *threads_[std::size_t(i)]);
        });
        for (auto& thread : threads_) loss += thread->loss, thread->loss = 0;
        const float part = float(b) / float(o.batches);
        step(o, o.first_rate + (o.last_rate - o.first_rate) * part);
    }
    return loss / double(o.batches * batch);
}

double Trainer::loss(const Lessons& lessons, const TrainingOptions& o) const {
    Thread thread(shape_);
    std::vector<u32> all(lessons.size());
    std::iota(all.begin(), all.end(), 0U);
    gather(lessons, all.data(), all.size(), o, thread);
    return thread.loss / double(lessons.size());
}

}  // namespace cotulenh::engine
