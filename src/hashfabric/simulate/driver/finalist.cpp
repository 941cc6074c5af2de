// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Drives a Verilated bare engine of a finalist (docs/engines/finalists.md): messages in its slots, one
// after the other in each, padded blocks in time or late, room for a digest always or now and then. Loaded by
// simulate/finalist.py through the one flat function below.
//
// One clock: inputs are set and settled with the clock low, outputs are read, then the clock rises.

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

constexpr uint64_t kPatience = 100'000;  // clocks without a handshake or a digest: it hangs
constexpr unsigned kResetClocks = 4;
constexpr uint8_t kJunk = 0xa5;
constexpr size_t kBlockBytes = sizeof(Vmodel::blk_i);
constexpr size_t kDigestBytes = sizeof(Vmodel::st_o);

struct Block {
    uint64_t count;  // blk_count_i
    uint32_t slot;
    uint8_t first;
    uint8_t last;
    uint8_t size;
};

struct Plan {
    uint64_t blocks;
    uint64_t slots;
    uint64_t longest_gap;  // clocks that a block comes late at most, half of them coming in time;
                           // then half of the clocks have no room for a digest either
    uint64_t seed;
};

// What one slot still has to do.
struct Slot {
    std::deque<uint64_t> blocks;    // numbers of those to hand over
    std::deque<uint64_t> messages;  // numbers of those whose digests are to come
    uint64_t offered_from = 0;
};

class Bench {
   public:
    Bench(const Plan& plan, const Block* blocks, const uint8_t* data, uint8_t* digests,
          uint64_t* handshakes)
        : plan_(plan),
          blocks_(blocks),
          data_(data),
          digests_(digests),
          handshakes_(handshakes),
          random_(plan.seed),
          slots_(plan.slots),
          top_(&context_) {
        for (uint64_t i = 0; i < plan.blocks; i++) {
            Slot& slot = slots_.at(blocks[i].slot);
            slot.blocks.push_back(i);
            if (blocks[i].last) slot.messages.push_back(due_++);
        }
    }

    void run() {
        reset();
        while (due_ != 0) clock();
        for (uint64_t i = 0; i < plan_.longest_gap + kResetClocks; i++) clock();
        top_.final();
    }

   private:
    void reset() {
        top_.blk_valid_i = 0;
        top_.st_ready_i = 0;
        top_.rst_i = 1;
        for (unsigned i = 0; i < kResetClocks; i++) {
            top_.clk_i = 0;
            top_.eval();
            top_.clk_i = 1;
            top_.eval();
        }
        top_.rst_i = 0;
    }

    void clock() {
        top_.clk_i = 0;
        top_.eval();
        const unsigned number = top_.blk_slot_o;
        if (number >= plan_.slots) throw std::runtime_error("blk_slot_o is no slot");
        Slot& slot = slots_[number];
        const bool offered = !slot.blocks.empty() && now_ >= slot.offered_from;
        top_.blk_valid_i = offered;
        if (offered) {
            const Block& block = blocks_[slot.blocks.front()];
            top_.blk_first_i = block.first;
            top_.blk_last_i = block.last;
            top_.blk_size_i = block.size;
            top_.blk_count_i = block.count;
            std::memcpy(&top_.blk_i, data_ + slot.blocks.front() * kBlockBytes, kBlockBytes);
        } else {
            std::memset(&top_.blk_i, kJunk, kBlockBytes);
        }
        top_.st_ready_i = plan_.longest_gap == 0 || random_.chance(0.5);
        top_.eval();
        if (top_.blk_slot_o != number) throw std::runtime_error("blk_slot_o follows the offer");
        const bool taken = offered && top_.blk_ready_o;
        const bool given = take_digest();
        top_.clk_i = 1;
        top_.eval();
        if (taken) {
            handshakes_[slot.blocks.front()] = now_;
            slot.blocks.pop_front();
            slot.offered_from = now_ + 1;
            if (plan_.longest_gap != 0 && random_.chance(0.5)) {
                slot.offered_from += random_.below(plan_.longest_gap + 1);
            }
        }
        idle_ = taken || given ? 0 : idle_ + 1;
        if (idle_ > kPatience) {
            throw std::runtime_error("hangs: no block taken in " + std::to_string(kPatience) +
                                     " clocks");
        }
        now_++;
    }

    // Returns whether the clock that comes takes a digest.
    bool take_digest() {
        const auto* digest = reinterpret_cast<const uint8_t*>(&top_.st_o);
        const unsigned number = top_.st_slot_o;
        if (held_.size() != 0 && !(top_.st_valid_o && number == held_slot_ &&
                                   std::memcmp(held_.data(), digest, kDigestBytes) == 0)) {
            throw std::runtime_error("st_o changed before it was taken");
        }
        held_.clear();
        if (!top_.st_valid_o) return false;
        if (number >= plan_.slots || slots_[number].messages.empty()) {
            throw std::runtime_error("a digest that no message asked for");
        }
        if (!top_.st_ready_i) {
            held_.assign(digest, digest + kDigestBytes);
            held_slot_ = number;
            return false;
        }
        std::deque<uint64_t>& messages = slots_[number].messages;
        std::memcpy(digests_ + messages.front() * kDigestBytes, digest, kDigestBytes);
        messages.pop_front();
        due_--;
        return true;
    }

    const Plan plan_;
    const Block* const blocks_;
    const uint8_t* const data_;  // of the blocks, kBlockBytes each
    uint8_t* const digests_;     // kDigestBytes each
    uint64_t* const handshakes_;  // the blocks' clocks
    Random random_;
    std::vector<Slot> slots_;
    uint64_t due_ = 0;  // digests that have not come yet
    VerilatedContext context_;
    Vmodel top_;
    std::vector<uint8_t> held_;  // the digest that the clock before saw and did not take
    unsigned held_slot_ = 0;
    uint64_t idle_ = 0;
    uint64_t now_ = 0;
};

}  // namespace

#define HF_API extern "C" __attribute__((visibility("default")))

HF_API uint64_t hf_block_bytes() { return kBlockBytes; }

HF_API uint64_t hf_digest_bytes() { return kDigestBytes; }

// Returns null, or one line on what went wrong (valid until the next call).
HF_API const char* hf_run_finalist(const Plan* plan, const Block* blocks, const uint8_t* data,
                                   uint8_t* digests, uint64_t* handshakes) {
    return fault_of([=] { Bench(*plan, blocks, data, digests, handshakes).run(); });
}
