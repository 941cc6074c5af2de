// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Drives a Verilated system (docs/integrate/riscv.md): writes and reads its memory by the host's port, and
// lets the program run until it says that it is done.

#include <cstdint>
#include <stdexcept>
#include <string>

#include "Vmodel.h"
#include "fault.h"
#include "report.h"

namespace {

constexpr unsigned kResetClocks = 4;
constexpr uint32_t kBegin = 1, kEnd = 2, kPause = 3;  // systems/firmware/system.h

class Host {
   public:
    Host() : top_(&context_) {
        top_.rst_i = 1;
        top_.host_write_i = 0;
        for (unsigned i = 0; i < kResetClocks; i++) edge();
    }
    // A model's scopes leave the thread's context, which is that of the model that ran last.
    ~Host() {
        Verilated::threadContextp(&context_);
        top_.final();
    }

    // Writes words and reads them back.
    void write(uint64_t first, const uint32_t* words, uint64_t count) {
        top_.host_write_i = 1;
        for (uint64_t i = 0; i < count; i++) {
            top_.host_addr_i = first + i;
            top_.host_wdata_i = words[i];
            edge();
        }
        top_.host_write_i = 0;
        for (uint64_t i = 0; i < count; i++) {
            if (read(first + i) == words[i]) continue;
            throw std::runtime_error("the memory has not " + std::to_string(4 * (first + count)) +
                                     " bytes, or does not keep what is loaded");
        }
    }
    uint32_t read(uint64_t word) {
        top_.host_addr_i = word;
        edge();
        return top_.host_rdata_o;
    }

    // Returns the clocks from the program's first word to its pause, else to its end.
    uint64_t run(uint64_t patience) {
        top_.rst_i = 0;
        if (said(patience) != kBegin) throw wrong(kBegin);
        const uint64_t begin = now_;
        uint32_t word = said(patience);
        const uint64_t end = now_;
        if (word == kPause) word = said(patience);
        if (word != kEnd) throw wrong(kEnd);
        top_.rst_i = 1;
        for (unsigned i = 0; i < kResetClocks; i++) edge();
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

    // Returns the program's next word.
    uint32_t said(uint64_t patience) {
        for (uint64_t i = 0; i < patience; i++) {
            edge();
            if (top_.trap_o) throw std::runtime_error("the processor trapped");
            if (top_.mail_valid_o) return word_ = top_.mail_data_o;
        }
        throw std::runtime_error("the program says nothing in " + std::to_string(patience) +
                                 " clocks");
    }
    std::runtime_error wrong(uint32_t wanted) const {
        return std::runtime_error("the program says " + std::to_string(word_) + " in place of " +
                                  std::to_string(wanted));
    }

    VerilatedContext context_;
    Vmodel top_;
    uint64_t now_ = 0;
    uint32_t word_ = 0;
};

Host* host(void* handle) { return static_cast<Host*>(handle); }

}  // namespace

#define HF_API extern "C" __attribute__((visibility("default")))

// A system in reset. Null, or one line on what went wrong; so of the others.
HF_API const char* hf_open(void** handle) {
    return fault_of([=] { *handle = new Host; });
}
HF_API void hf_close(void* handle) { delete host(handle); }

HF_API const char* hf_write(void* handle, uint64_t first, const uint32_t* words, uint64_t count) {
    return fault_of([=] { host(handle)->write(first, words, count); });
}
HF_API const char* hf_read(void* handle, uint64_t first, uint32_t* words, uint64_t count) {
    return fault_of([=] {
        for (uint64_t i = 0; i < count; i++) words[i] = host(handle)->read(first + i);
    });
}
HF_API const char* hf_run(void* handle, uint64_t patience, uint64_t* clocks) {
    return fault_of([=] { *clocks = host(handle)->run(patience); });
}
