// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Drives a Verilated bare engine (docs/reference/contract.md): one message a slot, its blocks there in time or
// late, states always taken. Loaded by simulate/engine.py through the one flat function below.
//
// One clock: the slot is read, the offer to it and its flags are set, the flags that answer are read.
// Data follow their flags by `delay` clocks: a block its handshake, a state st_valid_o.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

#include "Vmodel.h"
#include "fault.h"
#include "random.h"
#include "report.h"

namespace {

constexpr size_t kBlockBytes = 200;
constexpr uint64_t kPatience = 100'000;  // clocks without a handshake: it hangs
constexpr unsigned kResetClocks = 4;
constexpr uint8_t kJunk = 0xa5;

// What is known of the engine, and what to do with it.
struct Plan {
    uint32_t slots;
    uint32_t holds_state;
    uint32_t delay;
    uint32_t messages;      // one in each of the first slots, the others stay empty
    uint64_t count;         // blocks a message
    uint64_t longest_gap;   // clocks that a block comes late at most, half of them coming in time
    uint64_t seed;
    uint32_t zero_between;  // blk_i is zero in clocks without a block
};

struct Slot {
    uint64_t accepted = 0;    // blocks accepted
    uint64_t offered_from = 0;  // the clock in which the next block is there
    bool away = false;        // the state was handed back, and is to come back in with the block
};

// Data on their way to or from the engine: due in `clock`.
struct Transfer {
    uint64_t clock;
    size_t slot;
    uint64_t block;  // the number in its message
    bool restore;    // with the state that was handed back
};

class Bench {
   public:
    Bench(const Plan& plan, const uint8_t* blocks, uint8_t* states, uint64_t* handshakes)
        : plan_(plan),
          blocks_(blocks),
          states_(states),
          handshakes_(handshakes),
          random_(plan.seed),
          top_(&context_),
          slots_(plan.messages) {}

    // Returns the clock that showed the last state.
    uint64_t run() {
        reset();
        while (done_ < plan_.messages) clock();
        top_.final();
        return now_ - 1;
    }

   private:
    void reset() {
        top_.blk_valid_i = 0;
        top_.st_ready_i = 1;
        top_.rst_i = 1;
        for (unsigned i = 0; i < kResetClocks; i++) edge();
        top_.rst_i = 0;
    }
    void edge() {
        top_.clk_i = 0;
        top_.eval();
        top_.clk_i = 1;
        top_.eval();
    }

    void clock() {
        top_.clk_i = 0;
        top_.eval();  // says which slot is shown
        const size_t index = top_.blk_slot_o;
        if (index >= plan_.slots) throw std::runtime_error("blk_slot_o is no slot");
        Slot* slot = index < slots_.size() ? &slots_[index] : nullptr;
        const bool offered =
            slot && slot->accepted < plan_.count && now_ >= slot->offered_from;
        top_.blk_valid_i = offered;
        if (offered) {
            top_.blk_first_i = slot->accepted == 0 || slot->away;
            top_.blk_last_i = slot->accepted + 1 == plan_.count;
        }
        top_.eval();
        if (top_.st_valid_o) state_leaves(top_.st_slot_o);
        if (offered && slot->away && !top_.blk_first_i) {  // just now: the offer is another one
            top_.blk_first_i = 1;
            top_.eval();
        }
        const bool taken = offered && top_.blk_ready_o;
        if (plan_.delay == 0 ? offered : taken) {
            in_.push_back({now_ + plan_.delay, index, slot->accepted, slot->away});
        }
        move_data();
        top_.clk_i = 1;
        top_.eval();
        if (taken) {
            hand_over(index);
        } else if (++idle_ > kPatience) {
            throw std::runtime_error("hangs: no block taken in " + std::to_string(kPatience) +
                                     " clocks");
        }
        now_++;
    }

    void hand_over(size_t index) {
        Slot& slot = slots_[index];
        handshakes_[index * plan_.count + slot.accepted++] = now_;
        slot.away = false;
        slot.offered_from = now_ + 1;
        if (plan_.longest_gap != 0 && random_.chance(0.5)) {
            slot.offered_from += random_.below(plan_.longest_gap + 1);
        }
        idle_ = 0;
    }

    void state_leaves(size_t index) {
        if (index >= slots_.size() || slots_[index].accepted == 0 || slots_[index].away) {
            throw std::runtime_error("a state that no block asked for");
        }
        Slot& slot = slots_[index];
        if (slot.accepted < plan_.count && plan_.holds_state) {
            throw std::runtime_error("a state that no block asked for");
        }
        slot.away = true;
        out_.push_back({now_ + plan_.delay, index, slot.accepted - 1, false});
    }

    // Data that are due in this clock: states first, a block may go in with one of them.
    void move_data() {
        if (!out_.empty() && out_.front().clock == now_) {
            const Transfer state = out_.front();
            out_.pop_front();
            std::memcpy(states_ + state.slot * kBlockBytes, &top_.st_o, kBlockBytes);
            if (state.block + 1 == plan_.count) done_++;
        }
        auto* data = reinterpret_cast<uint8_t*>(&top_.blk_i);
        if (!in_.empty() && in_.front().clock == now_) {
            const Transfer block = in_.front();
            in_.pop_front();
            const size_t place = block.slot * plan_.count + block.block;
            std::memcpy(data, blocks_ + place * kBlockBytes, kBlockBytes);
            const uint8_t* saved = states_ + block.slot * kBlockBytes;
            for (size_t i = 0; block.restore && i < kBlockBytes; i++) data[i] ^= saved[i];
        } else if (plan_.delay != 0) {
            std::memset(data, plan_.zero_between ? 0 : kJunk, kBlockBytes);
        }
        top_.eval();
    }

    const Plan plan_;
    const uint8_t* const blocks_;  // `count` blocks a message, message after message
    uint8_t* const states_;        // one a message: the latest that left, in the end the last
    uint64_t* const handshakes_;   // their clocks, as `blocks_`
    Random random_;
    VerilatedContext context_;
    Vmodel top_;
    std::vector<Slot> slots_;
    std::deque<Transfer> in_;
    std::deque<Transfer> out_;
    uint64_t done_ = 0;
    uint64_t idle_ = 0;
    uint64_t now_ = 0;
};

}  // namespace

#define HF_API extern "C" __attribute__((visibility("default")))

// Returns null, or one line on what went wrong (valid until the next call).
HF_API const char* hf_run_engine(const Plan* plan, const uint8_t* blocks, uint8_t* states,
                                 uint64_t* handshakes, uint64_t* end) {
    return fault_of([=] { *end = Bench(*plan, blocks, states, handshakes).run(); });
}
