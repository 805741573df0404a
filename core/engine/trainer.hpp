// Trains a network on lessons: two layers of ordinary numbers, AdamW, several threads.
//
// The first layer is kept as a sum: a row of its own for each input, and rows that inputs share
// (the same piece on any point, the same kind on this point whatever its state). Rare inputs so
// learn from common ones; the sum is what is written.
#pragma once

#include <string>
#include <thread>

#include "engine/lessons.hpp"

namespace cotulenh::engine {

struct TrainerShape {
    int inputs, hidden, buckets;
    std::vector<std::vector<u32>> groups;  // for each way of sharing: the shared row of each input
};

struct TrainingOptions {
    std::size_t batches = 1, batch = 16384;
    float first_rate = 0.001F, last_rate = 0.001F;  // a straight line between them
    float trust = 0.3F;                             // in results; the rest in scores
    float scale = 1 / 400.0F;                       // odds of e to 1 for 1 / scale hundredths
    float decay = 0.01F;                            // of weights, as a share of the rate
    bool beside_terms = false;                      // the network says what the terms miss
    int threads = 1;
};

// Weights with Adam's averages of their gradients.
struct Learned {
    std::vector<float> value, mean, square, gradient;
    void resize(std::size_t n) {
        for (auto* v : {&value, &mean, &square, &gradient}) v->assign(n, 0.0F);
    }
};

class Trainer {
  public:
    static constexpr float CENTIPAWNS = 400;    // that an output of 1.0 stands for
    static constexpr float MOST = 127 / 64.0F;  // the largest weight that fits when rounded

    Trainer(TrainerShape shape, u64 seed);
    Trainer(const Trainer&) = delete;
    ~Trainer();

    // Goes on from a network's layers; false if they have another shape.
    bool start_from(std::vector<float> first, std::vector<float> bias, std::vector<float> last,
                    std::vector<float> offset);
    // Learns from so many batches, in shuffled order; the mean loss. `order_` goes on from call to
    // call, so that each position is seen once before any is seen twice.
    double train(const Lessons& lessons, const TrainingOptions& options);
    // The mean loss over all lessons, without learning.
    double loss(const Lessons& lessons, const TrainingOptions& options) const;

    // The sums of the first layer's rows; the other layers as they stand.
    std::vector<float> first() const;
    const std::vector<float>& bias() const { return bias_.value; }
    const std::vector<float>& last() const { return last_.value; }
    const std::vector<float>& offset() const { return offset_.value; }
    const TrainerShape& shape() const { return shape_; }

  private:
    struct Thread;  // gradients that one thread has gathered
    void gather(const Lessons& lessons, const u32* chosen, std::size_t n,
                const TrainingOptions& options, Thread& thread) const;
    void step(const TrainingOptions& options, float rate);
    void step_columns(const TrainingOptions& options, float rate, int begin, int end);
    void step_small(const TrainingOptions& options, float rate);
    void next_order(std::size_t n);

    const TrainerShape shape_;
    Learned own_, bias_, last_, offset_;
    std::vector<Learned> shared_;
    std::vector<float> sum_;  // own and shared rows added up
    std::vector<u8> touched_;
    std::vector<std::unique_ptr<Thread>> threads_;
    std::vector<u32> order_;
    std::size_t at_ = 0;
    u64 seed_;
    u64 steps_ = 0;
};

}  // namespace cotulenh::engine
