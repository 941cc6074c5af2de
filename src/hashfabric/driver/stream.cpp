// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Drives a Verilated stream top (rtl/bus/) clock by clock: messages in, digests out, and the
// rules of AXI4-Stream watched on the way. Loaded by simulate.py through the flat functions below.
//
// One clock: inputs are set and settled with the clock low, outputs are read, then the clock rises.
// A beat once offered stays until it is taken. Stalls are drawn for every clock from a seeded
// generator: `stall_in` is the chance that no new beat is offered, `stall_out` that tready is low.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "Vmodel.h"
#include "random.h"
#include "report.h"

namespace {

using Data = std::remove_reference_t<decltype(Vmodel::s_axis_tdata)>;
using Keep = std::remove_reference_t<decltype(Vmodel::s_axis_tkeep)>;
constexpr size_t kWidth = sizeof(Data);  // bytes a beat
constexpr uint64_t kAllKept = (uint64_t{1} << kWidth) - 1;
constexpr uint64_t kPatience = 100'000;  // clocks without a beat on either side: it hangs
constexpr unsigned kResetClocks = 4;

struct Beat {
    uint64_t data;
    uint64_t user;
    uint16_t keep;
    uint8_t tid;
    bool last;
    bool first;  // of its message
};

struct Answer {
    std::vector<uint8_t> digest;
    uint64_t start;  // clock in which the message's first beat was offered
    uint64_t end;    // clock in which the digest's last beat was taken
    uint32_t tid;
    uint32_t user;  // of the last beat
};

class Stream {
   public:
    Stream(uint64_t seed, double stall_in, double stall_out)
        : random_(seed), stall_in_(stall_in), stall_out_(stall_out) {
        context_.fatalOnError(false);
        top_ = std::make_unique<Vmodel>(&context_);
        top_->clk_i = 0;
        top_->s_axis_tvalid = 0;
        top_->m_axis_tready = 0;
        reset();
    }
    ~Stream() { top_->final(); }

    void reset() {
        waiting_.clear();
        head_ = 0;
        partial_.clear();
        answers_.clear();
        open_.clear();
        starts_.clear();
        held_ = false;
        top_->s_axis_tvalid = 0;
        top_->m_axis_tready = 0;
        top_->rst_i = 1;
        for (unsigned i = 0; i < kResetClocks; i++) {
            top_->clk_i = 0;
            top_->eval();
            top_->clk_i = 1;
            top_->eval();
        }
        top_->rst_i = 0;
        idle_ = 0;
    }

    // A message: begin, feed as often as needed, end. Its last beat is held back until it is known
    // to be the last; `empty_tail` puts tlast on a beat of its own without bytes.
    void begin(uint8_t tid, uint64_t user) {
        tid_ = tid;
        user_ = user;
        first_ = true;
        partial_.clear();
    }
    void feed(const uint8_t* bytes, size_t count) {
        if (partial_.size() + count > kWidth && !partial_.empty()) {
            const size_t missing = kWidth - partial_.size();
            partial_.insert(partial_.end(), bytes, bytes + missing);
            bytes += missing;
            count -= missing;
            push_bytes(partial_.data(), kWidth, false);
            partial_.clear();
        }
        for (; count > kWidth; bytes += kWidth, count -= kWidth) push_bytes(bytes, kWidth, false);
        partial_.insert(partial_.end(), bytes, bytes + count);
    }
    void end(bool empty_tail) {
        if (empty_tail && partial_.size() == kWidth) {
            push_bytes(partial_.data(), kWidth, false);
            partial_.clear();
        }
        push_bytes(partial_.data(), partial_.size(), true);
        partial_.clear();
    }
    void push(const Beat& beat) { waiting_.push_back(beat); }

    // Clocks until at most `beats` wait to be taken and at least `answers` have come.
    void run(size_t beats, size_t answers) {
        while (waiting_.size() - head_ > beats || answers_.size() < answers) clock();
        if (head_ == waiting_.size()) {
            waiting_.clear();
            head_ = 0;
        }
    }
    void run_clocks(uint64_t count) {
        for (; count > 0; count--) clock();
    }

    std::deque<Answer>& answers() { return answers_; }

   private:
    void push_bytes(const uint8_t* bytes, size_t count, bool last) {
        Beat beat{};
        std::memcpy(&beat.data, bytes, count);
        beat.user = user_;
        beat.keep = static_cast<uint16_t>((1u << count) - 1);
        beat.tid = tid_;
        beat.last = last;
        beat.first = first_;
        first_ = false;
        push(beat);
    }

    template <typename T>
    static T& at(std::deque<T>& values, size_t index) {
        if (values.size() <= index) values.resize(index + 1);
        return values[index];
    }

    void clock() {
        if (!top_->s_axis_tvalid && head_ < waiting_.size() &&
            (stall_in_ == 0.0 || !random_.chance(stall_in_))) {
            offer(waiting_[head_]);
        }
        top_->m_axis_tready = stall_out_ == 0.0 || !random_.chance(stall_out_);
        top_->clk_i = 0;
        top_->eval();
        const bool took = top_->s_axis_tvalid && top_->s_axis_tready;
        const bool gave = take_output();
        top_->clk_i = 1;
        top_->eval();
        if (took) {
            head_++;
            top_->s_axis_tvalid = 0;
        }
        now_++;
        if (took || gave) {
            idle_ = 0;
        } else if (++idle_ > kPatience && (head_ < waiting_.size() || !all_answered())) {
            throw std::runtime_error("hangs: no beat in " + std::to_string(kPatience) + " clocks");
        }
    }

    void offer(const Beat& beat) {
        top_->s_axis_tvalid = 1;
        top_->s_axis_tdata = static_cast<Data>(beat.data);
        top_->s_axis_tkeep = static_cast<Keep>(beat.keep);
        top_->s_axis_tlast = beat.last;
        top_->s_axis_tid = beat.tid;
        top_->s_axis_tuser = beat.user;
        if (beat.first) at(starts_, beat.tid).push_back(now_);
    }

    bool all_answered() const {
        return std::all_of(starts_.begin(), starts_.end(),
                           [](const auto& starts) { return starts.empty(); });
    }

    // Returns whether the clock that comes takes a beat of a digest.
    bool take_output() {
        if (held_ && !(top_->m_axis_tvalid && same_as_held())) {
            throw std::runtime_error("m_axis changed before it was taken");
        }
        held_ = top_->m_axis_tvalid && !top_->m_axis_tready;
        if (held_) {
            held_beat_ = output();
            return false;
        }
        if (!top_->m_axis_tvalid) return false;
        const Beat beat = output();
        std::vector<uint8_t>& digest = at(open_, beat.tid);
        size_t count = 0;
        while (count < kWidth && (beat.keep >> count & 1)) count++;
        if (beat.keep != (1u << count) - 1 || (!beat.last && count != kWidth)) {
            throw std::runtime_error("m_axis_tkeep has a hole");
        }
        const auto* bytes = reinterpret_cast<const uint8_t*>(&beat.data);
        digest.insert(digest.end(), bytes, bytes + count);
        if (beat.last) {
            auto& starts = at(starts_, beat.tid);
            if (starts.empty()) throw std::runtime_error("a digest that no message asked for");
            answers_.push_back({std::move(digest), starts.front(), now_, beat.tid,
                                static_cast<uint32_t>(beat.user)});
            digest.clear();
            starts.pop_front();
        }
        return true;
    }
    Beat output() const {
        Beat beat{};
        beat.data = top_->m_axis_tdata;
        beat.user = top_->m_axis_tuser;
        beat.keep = top_->m_axis_tkeep;
        beat.tid = top_->m_axis_tid;
        beat.last = top_->m_axis_tlast;
        return beat;
    }
    bool same_as_held() const {
        const Beat beat = output();
        return beat.data == held_beat_.data && beat.user == held_beat_.user &&
               beat.keep == held_beat_.keep && beat.tid == held_beat_.tid &&
               beat.last == held_beat_.last;
    }

    VerilatedContext context_;
    std::unique_ptr<Vmodel> top_;
    Random random_;
    double stall_in_;
    double stall_out_;

    std::vector<Beat> waiting_;  // from head_ on: not yet taken
    size_t head_ = 0;
    std::vector<uint8_t> partial_;  // bytes of the message in hand that have no beat yet
    uint8_t tid_ = 0;
    uint64_t user_ = 0;
    bool first_ = false;

    // By slot: when did the messages without an answer start, and the digest so far.
    std::deque<std::deque<uint64_t>> starts_;
    std::deque<std::vector<uint8_t>> open_;
    std::deque<Answer> answers_;

    bool held_ = false;  // the clock before saw an output beat and did not take it
    Beat held_beat_{};
    uint64_t now_ = 0;
    uint64_t idle_ = 0;
};

// What a handle stands for. A model that threw is not clocked again.
struct Handle {
    std::unique_ptr<Stream> stream;
    std::string error;

    template <typename Work>
    int guarded(Work&& work) {
        if (!error.empty()) return -1;
        try {
            work();
            return 0;
        } catch (const std::exception& fault) {
            error = fault.what();
            return -1;
        }
    }
};

}  // namespace

#define HF_API extern "C" __attribute__((visibility("default")))

struct HfAnswer {
    uint64_t start;
    uint64_t end;
    uint64_t bytes;
    uint32_t tid;
    uint32_t user;
};

HF_API Handle* hf_open(uint64_t seed, double stall_in, double stall_out) {
    auto* handle = new Handle;
    handle->guarded([&] { handle->stream = std::make_unique<Stream>(seed, stall_in, stall_out); });
    return handle;
}

HF_API void hf_close(Handle* handle) { delete handle; }

// One line on what went wrong; empty if nothing did.
HF_API const char* hf_error(const Handle* handle) { return handle->error.c_str(); }

HF_API uint64_t hf_width() { return kWidth; }

HF_API int hf_reset(Handle* handle) {
    return handle->guarded([&] { handle->stream->reset(); });
}

HF_API int hf_begin(Handle* handle, uint32_t tid, uint64_t user) {
    return handle->guarded([&] { handle->stream->begin(static_cast<uint8_t>(tid), user); });
}

HF_API int hf_feed(Handle* handle, const uint8_t* bytes, uint64_t count) {
    return handle->guarded([&] { handle->stream->feed(bytes, count); });
}

HF_API int hf_end(Handle* handle, int empty_tail) {
    return handle->guarded([&] { handle->stream->end(empty_tail != 0); });
}

// A beat as it is, right or wrong; `first` only says that an answer is due for what it begins.
HF_API int hf_beat(Handle* handle, uint64_t data, uint32_t keep, int last, uint32_t tid,
                   uint64_t user, int first) {
    return handle->guarded([&] {
        handle->stream->push({data, user, static_cast<uint16_t>(keep), static_cast<uint8_t>(tid),
                              last != 0, first != 0});
    });
}

HF_API int hf_run(Handle* handle, uint64_t beats, uint64_t answers) {
    return handle->guarded([&] { handle->stream->run(beats, answers); });
}

HF_API int hf_run_clocks(Handle* handle, uint64_t count) {
    return handle->guarded([&] { handle->stream->run_clocks(count); });
}

HF_API uint64_t hf_answers(const Handle* handle) {
    return handle->stream ? handle->stream->answers().size() : 0;
}

// Describes the oldest answer; its digest is then fetched, which removes the answer.
HF_API void hf_look(Handle* handle, HfAnswer* answer) {
    const Answer& oldest = handle->stream->answers().front();
    *answer = {oldest.start, oldest.end, oldest.digest.size(), oldest.tid, oldest.user};
}

HF_API void hf_take(Handle* handle, uint8_t* digest) {
    Answer& oldest = handle->stream->answers().front();
    std::copy(oldest.digest.begin(), oldest.digest.end(), digest);
    handle->stream->answers().pop_front();
}
