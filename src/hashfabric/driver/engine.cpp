// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Drives a Verilated bare engine (docs/contract.md): one message a slot, its blocks always there in
// time, states always taken. Loaded by simulate.py through the one flat function below.

#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "Vmodel.h"
#include "report.h"

namespace {

constexpr size_t kBlockBytes = 200;
constexpr uint64_t kPatience = 100'000;  // clocks without a handover: it hangs
constexpr unsigned kResetClocks = 4;

struct Run {
    uint64_t first;  // clock of the first handover, of the last, and of the last state
    uint64_t last;
    uint64_t end;
};

// `blocks` holds `count` blocks a slot, slot after slot; `states` gets one state a slot.
Run run(uint32_t slots, const uint8_t* blocks, uint64_t count, uint8_t* states) {
    VerilatedContext context;
    Vmodel top(&context);
    top.blk_valid_i = 0;
    top.st_ready_i = 1;
    top.rst_i = 1;
    for (unsigned i = 0; i < kResetClocks; i++) {
        top.clk_i = 0;
        top.eval();
        top.clk_i = 1;
        top.eval();
    }
    top.rst_i = 0;

    Run result{};
    std::vector<uint64_t> handed(slots, 0);
    uint64_t done = 0;
    uint64_t taken = 0;
    uint64_t idle = 0;
    for (uint64_t now = 0; done < slots; now++) {
        top.clk_i = 0;
        top.eval();  // tells the slot whose turn it is
        const size_t slot = top.blk_slot_o;
        if (slot >= slots) throw std::runtime_error("blk_slot_o is no slot");
        const uint64_t next = handed[slot];
        top.blk_valid_i = next < count;
        if (next < count) {
            top.blk_first_i = next == 0;
            top.blk_last_i = next + 1 == count;
            std::memcpy(&top.blk_i, blocks + (slot * count + next) * kBlockBytes, kBlockBytes);
        }
        top.eval();
        const bool handover = top.blk_valid_i && top.blk_ready_o;
        if (top.st_valid_o) {
            const size_t from = top.st_slot_o;
            if (from >= slots || handed[from] != count) {
                throw std::runtime_error("a state that no block asked for");
            }
            std::memcpy(states + from * kBlockBytes, &top.st_o, kBlockBytes);
            result.end = now;
            done++;
        }
        top.clk_i = 1;
        top.eval();
        if (handover) {
            if (taken++ == 0) result.first = now;
            result.last = now;
            handed[slot]++;
            idle = 0;
        } else if (++idle > kPatience) {
            throw std::runtime_error("hangs: no block taken in " + std::to_string(kPatience) +
                                     " clocks");
        }
    }
    top.final();
    return result;
}

std::string error;

}  // namespace

#define HF_API extern "C" __attribute__((visibility("default")))

// Returns null, or one line on what went wrong (valid until the next call).
HF_API const char* hf_run_engine(uint32_t slots, const uint8_t* blocks, uint64_t count,
                                 uint8_t* states, Run* result) {
    try {
        *result = run(slots, blocks, count, states);
        return nullptr;
    } catch (const std::exception& fault) {
        error = fault.what();
        return error.c_str();
    }
}
