// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Drives a Verilated stream top (rtl/top/) clock by clock: messages in, digests out, and the
// rules of AXI4-Stream watched on the way. Loaded by simulate/stream.py through the flat functions below.
//
// One clock: inputs are set and settled with the clock low, outputs are read, then the clock rises.
// A beat once offered stays until it is taken. Stalls are drawn for every clock from a seeded
// generator: `stall_in` is the chance that no new beat is offered, `stall_out` that tready is low.
//
// With several slots the sender is a fair one: messages of a slot follow each other, and the slots
// that have a beat to send, and room for it where the top says so (s_axis_room), take turns.

#include <algorithm>
#include <array>
#include <chrono>
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
constexpr size_t kWideFrom = 9;  // bytes a beat from which one before tlast may be short
constexpr unsigned kBitsAt = 8;  // s_axis_tuser: valid bits in the last byte
constexpr uint64_t kPatience = 100'000;  // clocks without a beat on either side: it hangs
constexpr unsigned kResetClocks = 4;
constexpr unsigned kStartClocks = 100000;
constexpr std::chrono::milliseconds kSlice{100};  // a run gives the caller its turn after this
constexpr unsigned kLookEvery = 64;  // clocks between two looks at the time

struct Beat {
    std::array<uint8_t, kWidth> data;
    uint64_t user;
    uint64_t keep;
    uint32_t tid;
    bool last;
    bool first;  // of its message
};

// The low `count` bits.
constexpr uint64_t mask(size_t count) {
    return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
}

// Beats in their order; from `head` on they are still to be taken.
struct Queue {
    std::vector<Beat> beats;
    size_t head = 0;

    bool empty() const { return head == beats.size(); }
    size_t size() const { return beats.size() - head; }
    void pop() {
        if (++head == beats.size()) {
            beats.clear();
            head = 0;
        }
    }
};

// A message on its way into a slot's queue: the bytes of it that have no beat yet, and whether the
// beat they will go into is its first.
struct Input {
    std::vector<uint8_t> partial;
    uint64_t user = 0;
    bool first = false;
};

template <typename Top, typename = void>
struct Room {  // a top that does not say which slots have room: any may
    static bool has(const Top&, size_t) { return true; }
};

template <typename Top>
struct Room<Top, std::void_t<decltype(Top::s_axis_room)>> {
    static bool has(const Top& top, size_t slot) {
        if (slot >= 8 * sizeof top.s_axis_room) return true;
        const auto* bytes = reinterpret_cast<const uint8_t*>(&top.s_axis_room);
        return bytes[slot / 8] >> slot % 8 & 1;
    }
};

struct Answer {
    std::vector<uint8_t> digest;  // what of it has not been fetched
    uint64_t start;  // clock in which the message's first beat was offered
    uint64_t end;    // clock in which the digest's last beat was taken
    uint32_t tid;
    uint32_t user;  // of the last beat
};

class Stream {
   public:
    Stream(bool in_turn, uint64_t seed, double stall_in, double stall_out)
        : in_turn_(in_turn), random_(seed), stall_in_(stall_in), stall_out_(stall_out) {
        context_.fatalOnError(false);
        top_ = std::make_unique<Vmodel>(&context_);
        top_->clk_i = 0;
        top_->s_axis_tvalid = 0;
        top_->m_axis_tready = 0;
        reset();
    }
    ~Stream() { top_->final(); }

    // A top with masks is seeded, and starts; of another one there is nothing to do.
    template <typename Top>
    auto start(Top& top, int) -> decltype(top.seed_valid_i, void()) {
        top.seed_valid_i = 1;
        top.seed_key_i[0] = 0x12345678;
        for (unsigned i = 0; i == 0 || !top.ready_o; i++) {
            if (i == kStartClocks) throw std::runtime_error("ready_o stays low");
            top.clk_i = 0;
            top.eval();
            top.clk_i = 1;
            top.eval();
            top.seed_valid_i = 0;
        }
    }
    template <typename Top>
    void start(Top&, long) {}

    void reset(unsigned clocks = kResetClocks) {
        queues_.clear();
        waiting_ = 0;
        turn_ = 0;
        inputs_.clear();
        answers_.clear();
        open_.clear();
        starts_.clear();
        held_ = false;
        top_->s_axis_tvalid = 0;
        top_->m_axis_tready = 0;
        top_->rst_i = 1;
        for (unsigned i = 0; i < clocks; i++) {
            top_->clk_i = 0;
            top_->eval();
            top_->clk_i = 1;
            top_->eval();
        }
        top_->rst_i = 0;
        start(*top_, 0);
        idle_ = 0;
    }

    // A message: begin, feed as often as needed, end. Messages of different slots may be between
    // begin and end at once. A message's last beat is held back until it is known to be the last;
    // `empty_tail` puts tlast on a beat of its own without bytes.
    void begin(uint32_t tid, uint64_t user) { at(inputs_, tid) = {{}, user, true}; }
    void feed(uint32_t tid, const uint8_t* bytes, size_t count) {
        std::vector<uint8_t>& partial = at(inputs_, tid).partial;
        if (partial.size() + count > kWidth && !partial.empty()) {
            const size_t missing = kWidth - partial.size();
            partial.insert(partial.end(), bytes, bytes + missing);
            bytes += missing;
            count -= missing;
            push_bytes(tid, partial.data(), kWidth, false);
            partial.clear();
        }
        for (; count > kWidth; bytes += kWidth, count -= kWidth) {
            push_bytes(tid, bytes, kWidth, false);
        }
        partial.insert(partial.end(), bytes, bytes + count);
    }
    void end(uint32_t tid, bool empty_tail) {
        std::vector<uint8_t>& partial = at(inputs_, tid).partial;
        if (empty_tail && partial.size() == kWidth) {
            push_bytes(tid, partial.data(), kWidth, false);
            partial.clear();
        }
        push_bytes(tid, partial.data(), partial.size(), true);
        partial.clear();
    }
    // Ends a message that its sender cannot complete by a beat that is an error on every port: bits
    // in an empty last byte. It is answered like any other, with the error flag and no digest.
    void break_off(uint32_t tid) {
        Input& input = at(inputs_, tid);
        input.partial.clear();
        input.user = (input.user & ~(uint64_t{7} << kBitsAt)) | uint64_t{1} << kBitsAt;
        push_bytes(tid, nullptr, 0, true);
    }
    // An unchanged beat; all beats after a `first` one are sent in its slot's turn.
    void push(const Beat& beat) {
        if (beat.first) raw_queue_ = queue_of(beat.tid);
        queue(raw_queue_, beat);
    }

    // Clocks until the caller has something to do: a queue ran empty (in the very clock, so that no
    // slot's sender is late because of the caller), an answer waits, or it has been a while.
    void run() {
        const auto end = std::chrono::steady_clock::now() + kSlice;
        ran_empty_ = false;
        do {
            for (unsigned i = 0; i < kLookEvery && !ran_empty_ && answers_.empty(); i++) clock();
        } while (!ran_empty_ && answers_.empty() && std::chrono::steady_clock::now() < end);
    }
    void run_clocks(uint64_t count) {
        for (; count > 0; count--) clock();
    }

    std::deque<Answer>& answers() { return answers_; }

    // Beats that wait to be taken, of all slots or of one.
    uint64_t waiting() const { return waiting_; }
    uint64_t waiting(uint32_t tid) { return at(queues_, queue_of(tid)).size(); }

    // The bytes that have come of the slot's digest in hand.
    std::vector<uint8_t>& open(uint32_t tid) { return at(open_, tid); }

   private:
    size_t queue_of(uint32_t tid) const { return in_turn_ ? tid : 0; }
    void queue(size_t index, const Beat& beat) {
        at(queues_, index).beats.push_back(beat);
        waiting_++;
    }
    void push_bytes(uint32_t tid, const uint8_t* bytes, size_t count, bool last) {
        Input& input = at(inputs_, tid);
        Beat beat{};
        std::copy_n(bytes, count, beat.data.begin());
        beat.user = input.user;
        beat.keep = mask(count);
        beat.tid = tid;
        beat.last = last;
        beat.first = input.first;
        input.first = false;
        queue(queue_of(tid), beat);
    }

    template <typename T>
    static T& at(std::deque<T>& values, size_t index) {
        if (values.size() <= index) values.resize(index + 1);
        return values[index];
    }

    void clock() {
        if (!top_->s_axis_tvalid && waiting_ > 0 &&
            (stall_in_ == 0.0 || !random_.chance(stall_in_))) {
            offer_next();
        }
        top_->m_axis_tready = stall_out_ == 0.0 || !random_.chance(stall_out_);
        top_->clk_i = 0;
        top_->eval();
        const bool took = top_->s_axis_tvalid && top_->s_axis_tready;
        const bool gave = take_output();
        top_->clk_i = 1;
        top_->eval();
        if (took) {
            queues_[offered_].pop();
            ran_empty_ |= queues_[offered_].empty();
            waiting_--;
            top_->s_axis_tvalid = 0;
        }
        now_++;
        if (took || gave) {
            idle_ = 0;
        } else if (++idle_ > kPatience && (waiting_ > 0 || !all_answered())) {
            throw std::runtime_error("hangs: no beat in " + std::to_string(kPatience) + " clocks");
        }
    }

    // Offers the next beat of the slot whose turn it is; the turn goes to the next one.
    void offer_next() {
        for (size_t i = 0; i < queues_.size(); i++) {
            const size_t index = (turn_ + i) % queues_.size();
            if (queues_[index].empty() || (in_turn_ && !Room<Vmodel>::has(*top_, index))) continue;
            offered_ = index;
            turn_ = index + 1;
            offer(queues_[index].beats[queues_[index].head]);
            return;
        }
    }
    void offer(const Beat& beat) {
        top_->s_axis_tvalid = 1;
        std::memcpy(&top_->s_axis_tdata, beat.data.data(), kWidth);
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
        const bool may_be_short = beat.last || (kWidth >= kWideFrom && count != 0);
        if (beat.keep != mask(count) || (count != kWidth && !may_be_short)) {
            throw std::runtime_error("m_axis_tkeep has a hole");
        }
        digest.insert(digest.end(), beat.data.begin(), beat.data.begin() + count);
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
        std::memcpy(beat.data.data(), &top_->m_axis_tdata, kWidth);
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
    const bool in_turn_;  // a queue a slot; else one for all
    Random random_;
    double stall_in_;
    double stall_out_;

    std::deque<Queue> queues_;
    uint64_t waiting_ = 0;  // beats in them
    size_t turn_ = 0;       // the queue to look into first
    size_t offered_ = 0;    // the queue that the beat on the port is of

    bool ran_empty_ = false;  // one of them did, in the run that is on

    std::deque<Input> inputs_;
    size_t raw_queue_ = 0;  // where beats as they are go

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

HF_API Handle* hf_open(int in_turn, uint64_t seed, double stall_in, double stall_out) {
    auto* handle = new Handle;
    handle->guarded([&] {
        handle->stream = std::make_unique<Stream>(in_turn != 0, seed, stall_in, stall_out);
    });
    return handle;
}

HF_API void hf_close(Handle* handle) { delete handle; }

// One line on what went wrong; empty if nothing did.
HF_API const char* hf_error(const Handle* handle) { return handle->error.c_str(); }

HF_API uint64_t hf_width() { return kWidth; }

HF_API int hf_reset(Handle* handle, uint32_t clocks) {
    return handle->guarded([&] { handle->stream->reset(clocks); });
}

HF_API int hf_begin(Handle* handle, uint32_t tid, uint64_t user) {
    return handle->guarded([&] { handle->stream->begin(tid, user); });
}

HF_API int hf_feed(Handle* handle, uint32_t tid, const uint8_t* bytes, uint64_t count) {
    return handle->guarded([&] { handle->stream->feed(tid, bytes, count); });
}

HF_API int hf_end(Handle* handle, uint32_t tid, int empty_tail) {
    return handle->guarded([&] { handle->stream->end(tid, empty_tail != 0); });
}

HF_API int hf_break_off(Handle* handle, uint32_t tid) {
    return handle->guarded([&] { handle->stream->break_off(tid); });
}

// A beat as it is, right or wrong: `data` are as many bytes as one has. `first` says that an answer
// is due for what it begins, and that beats up to the next such are sent in its slot's turn.
HF_API int hf_beat(Handle* handle, const uint8_t* data, uint64_t keep, int last, uint32_t tid,
                   uint64_t user, int first) {
    return handle->guarded([&] {
        Beat beat{};
        std::copy_n(data, kWidth, beat.data.begin());
        beat.user = user;
        beat.keep = keep;
        beat.tid = tid;
        beat.last = last != 0;
        beat.first = first != 0;
        handle->stream->push(beat);
    });
}

HF_API int hf_run(Handle* handle) {
    return handle->guarded([&] { handle->stream->run(); });
}

HF_API int hf_run_clocks(Handle* handle, uint64_t count) {
    return handle->guarded([&] { handle->stream->run_clocks(count); });
}

// Beats that wait to be taken, of all slots and of one.
HF_API uint64_t hf_waiting(const Handle* handle) { return handle->stream->waiting(); }
HF_API uint64_t hf_slot_waiting(Handle* handle, uint32_t tid) {
    return handle->stream->waiting(tid);
}

HF_API uint64_t hf_answers(const Handle* handle) {
    return handle->stream ? handle->stream->answers().size() : 0;
}

// How many bytes have come of the slot's digest in hand; they are then fetched, which removes them.
HF_API uint64_t hf_ready(Handle* handle, uint32_t tid) { return handle->stream->open(tid).size(); }

HF_API void hf_fetch(Handle* handle, uint32_t tid, uint8_t* digest) {
    std::vector<uint8_t>& open = handle->stream->open(tid);
    std::copy(open.begin(), open.end(), digest);
    open.clear();
}

// Describes the oldest answer; what is left of its digest is then taken, which removes the answer.
HF_API void hf_look(Handle* handle, HfAnswer* answer) {
    const Answer& oldest = handle->stream->answers().front();
    *answer = {oldest.start, oldest.end, oldest.digest.size(), oldest.tid, oldest.user};
}

HF_API void hf_take(Handle* handle, uint8_t* digest) {
    Answer& oldest = handle->stream->answers().front();
    std::copy(oldest.digest.begin(), oldest.digest.end(), digest);
    handle->stream->answers().pop_front();
}
