// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Drives a Verilated engine of the word contract (docs/reference/word-contract.md): messages, each after a wipe,
// with all words of a block added and no word read before the end. Loaded by simulate/words.py through the one
// flat function below.

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

#include "Vmodel.h"
#include "random.h"
#include "report.h"

namespace {

constexpr size_t kBlockBytes = 200;
constexpr uint64_t kPatience = 100'000;  // clocks without an acceptance: it hangs
constexpr unsigned kResetClocks = 4;
constexpr uint64_t kJunk = 0xa5a5a5a5a5a5a5a5;

enum Operation : unsigned { kAdd, kRead, kPermute, kWipe };

struct Plan {
    uint32_t word_bytes;
    uint32_t messages;
    uint64_t count;        // blocks a message
    uint64_t squeezes;     // permutations after them, with nothing between them
    uint64_t longest_gap;  // clocks that an operation comes late at most, half of them coming in time
    uint64_t seed;
};

class Bench {
   public:
    Bench(const Plan& plan, const uint8_t* blocks, uint8_t* states)
        : plan_(plan), blocks_(blocks), states_(states), random_(plan.seed), top_(&context_) {}

    // Returns the clocks from the first of a message's squeezes to the last.
    uint64_t run() {
        reset();
        uint64_t squeezing = 0;
        for (size_t message = 0; message < plan_.messages; message++) {
            do_(kWipe);
            for (uint64_t block = 0; block < plan_.count; block++) {
                add(blocks_ + (message * plan_.count + block) * kBlockBytes);
                do_(kPermute);
            }
            read(states_ + 2 * message * kBlockBytes);
            do_(kPermute);
            for (uint64_t i = 0, first = 0; i < plan_.squeezes; i++) {
                do_(kPermute);
                if (i == 0) first = now_;
                squeezing = now_ - first;
            }
            read(states_ + (2 * message + 1) * kBlockBytes);
        }
        top_.final();
        return squeezing;
    }

   private:
    void reset() {
        top_.op_valid_i = 0;
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

    void add(const uint8_t* block) {
        for (size_t at = 0; at < kBlockBytes; at += plan_.word_bytes) {
            uint64_t word = 0;
            std::memcpy(&word, block + at, plan_.word_bytes);
            do_(kAdd, at / plan_.word_bytes, word);
        }
    }

    void read(uint8_t* state) {
        for (size_t at = 0; at < kBlockBytes; at += plan_.word_bytes) {
            const uint64_t word = do_(kRead, at / plan_.word_bytes);
            std::memcpy(state + at, &word, plan_.word_bytes);
        }
    }

    // Offers an operation until it is accepted; returns `word_o` of that clock.
    uint64_t do_(Operation operation, size_t address = 0, uint64_t word = kJunk) {
        top_.op_valid_i = 0;
        uint64_t gap = 0;
        if (plan_.longest_gap != 0 && random_.chance(0.5)) gap = random_.below(plan_.longest_gap + 1);
        for (; gap > 0; gap--, now_++) edge();
        top_.op_valid_i = 1;
        top_.op_i = operation;
        top_.op_addr_i = address;
        top_.op_bytes_i = static_cast<uint8_t>(~uint64_t{0} >> (64 - plan_.word_bytes));
        top_.op_word_i = word;
        for (const uint64_t offered = now_;; now_++) {
            top_.clk_i = 0;
            top_.eval();
            const bool accepted = top_.op_ready_o;
            const uint64_t shown = top_.word_o;
            top_.clk_i = 1;
            top_.eval();
            if (accepted) {
                now_++;
                return shown;
            }
            if (now_ - offered > kPatience) {
                throw std::runtime_error("hangs: no operation taken in " + std::to_string(kPatience) + " clocks");
            }
        }
    }

    const Plan plan_;
    const uint8_t* const blocks_;  // `count` blocks a message, message after message
    uint8_t* const states_;        // two a message: after its blocks, and after its squeezes
    Random random_;
    VerilatedContext context_;
    Vmodel top_;
    uint64_t now_ = 0;
};

std::string error;

}  // namespace

#define HF_API extern "C" __attribute__((visibility("default")))

// Returns null, or one line on what went wrong (valid until the next call).
HF_API const char* hf_run_words(const Plan* plan, const uint8_t* blocks, uint8_t* states,
                                uint64_t* squeezing) {
    try {
        *squeezing = Bench(*plan, blocks, states).run();
        return nullptr;
    } catch (const std::exception& fault) {
        error = fault.what();
        return error.c_str();
    }
}
