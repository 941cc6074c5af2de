// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Drives a Verilated system (docs/keccak-riscv.md): loads its memory by the host's port, lets the
// program run until it says that it is done, and reads the memory back.

#include <cstdint>
#include <stdexcept>
#include <string>

#include "Vmodel.h"
#include "report.h"

namespace {

constexpr unsigned kResetClocks = 4;
constexpr uint32_t kBegin = 1, kEnd = 2;  // firmware/system.h

class Host {
   public:
    Host(uint32_t* memory, uint64_t words) : memory_(memory), words_(words), top_(&context_) {}

    // Returns the clocks between the program's two words.
    uint64_t run(uint64_t patience) {
        top_.rst_i = 1;
        top_.host_write_i = 0;
        for (unsigned i = 0; i < kResetClocks; i++) edge();
        load();
        top_.rst_i = 0;
        const uint64_t begin = wait_for(kBegin, patience);
        const uint64_t end = wait_for(kEnd, patience);
        top_.rst_i = 1;
        for (uint64_t i = 0; i < words_; i++) memory_[i] = read(i);
        top_.final();
        return end - begin;
    }

   private:
    void edge() {
        top_.clk_i = 0;
        top_.eval();
        top_.clk_i = 1;
        top_.eval();
        now_++;
    }

    void load() {
        top_.host_write_i = 1;
        for (uint64_t i = 0; i < words_; i++) {
            top_.host_addr_i = i;
            top_.host_wdata_i = memory_[i];
            edge();
        }
        top_.host_write_i = 0;
        for (uint64_t i = 0; i < words_; i++) {
            if (read(i) != memory_[i]) {
                throw std::runtime_error("the memory has not " + std::to_string(4 * words_) +
                                         " bytes, or does not keep what is loaded");
            }
        }
    }
    uint32_t read(uint64_t word) {
        top_.host_addr_i = word;
        edge();
        return top_.host_rdata_o;
    }

    // Returns the clock in which the program says `word`.
    uint64_t wait_for(uint32_t word, uint64_t patience) {
        for (uint64_t i = 0; i < patience; i++) {
            edge();
            if (top_.trap_o) throw std::runtime_error("the processor trapped");
            if (!top_.mail_valid_o) continue;
            if (top_.mail_data_o == word) return now_;
            throw std::runtime_error("the program says " + std::to_string(top_.mail_data_o) +
                                     " in place of " + std::to_string(word));
        }
        throw std::runtime_error("the program says nothing in " + std::to_string(patience) +
                                 " clocks");
    }

    uint32_t* const memory_;
    const uint64_t words_;
    VerilatedContext context_;
    Vmodel top_;
    uint64_t now_ = 0;
};

std::string error;

}  // namespace

#define HF_API extern "C" __attribute__((visibility("default")))

// Returns null, or one line on what went wrong (valid until the next call).
HF_API const char* hf_run_system(uint32_t* memory, uint64_t words, uint64_t patience,
                                 uint64_t* clocks) {
    try {
        *clocks = Host(memory, words).run(patience);
        return nullptr;
    } catch (const std::exception& fault) {
        error = fault.what();
        return error.c_str();
    }
}
