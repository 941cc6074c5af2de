// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Drives a Verilated SoC (docs/integrate/soc.md): loads its RAM, lets it run from reset, and talks with its
// program over the serial line, bit by bit: a start bit, eight bits, a stop bit.

#include <cstdint>
#include <deque>
#include <stdexcept>
#include <string>

#include "Vmodel.h"
#include "Vmodel_hf_litex_soc.h"
#include "fault.h"
#include "report.h"

namespace {

constexpr unsigned kResetClocks = 8;

class Soc {
   public:
    explicit Soc(double bit_clocks) : top_(&context_), bit_clocks_(bit_clocks) {
        top_.serial_rx = 1;
        top_.rst = 1;
        for (unsigned i = 0; i < kResetClocks; i++) edge();
    }
    // A model's scopes leave the thread's context, which is that of the model that ran last.
    ~Soc() {
        Verilated::threadContextp(&context_);
        top_.final();
    }

    void load(const uint32_t* words, uint64_t count) {
        auto& ram = top_.hf_litex_soc->main_ram;
        if (count > sizeof ram / sizeof ram[0]) {
            throw std::runtime_error("the memory has only " + std::to_string(sizeof ram) + " bytes");
        }
        for (uint64_t i = 0; i < count; i++) ram[i] = words[i];
        top_.rst = 0;
    }

    // The RAM is the host's to look at; caches write through.
    void read(uint64_t first, uint32_t* words, uint64_t count) {
        auto& ram = top_.hf_litex_soc->main_ram;
        if (first + count > sizeof ram / sizeof ram[0]) {
            throw std::runtime_error("the memory ends before what is read");
        }
        for (uint64_t i = 0; i < count; i++) words[i] = ram[first + i];
    }

    void send(uint8_t byte) {
        const unsigned bits = 1u << 9 | byte << 1;  // stop, the byte, start
        for (unsigned i = 0; i < 10; i++) {
            top_.serial_rx = bits >> i & 1u;
            rest_ += bit_clocks_;
            for (; rest_ >= 1; rest_--) edge();
        }
    }

    // Returns the next byte; of one without its stop bit an error.
    int receive(uint64_t patience) {
        if (!run(patience)) {
            throw std::runtime_error("the serial line is silent for " + std::to_string(patience) +
                                     " clocks");
        }
        const int byte = received_.front();
        received_.pop_front();
        if (byte < 0) throw std::runtime_error("the serial line: a byte without its stop bit");
        return byte;
    }
    // Runs for `clocks` clocks, or until a byte is received; returns whether one is.
    bool run(uint64_t clocks) {
        for (uint64_t i = 0; received_.empty() && i < clocks; i++) edge();
        return !received_.empty();
    }
    uint64_t now() const { return now_; }

   private:
    void edge() {
        top_.clk = 0;
        top_.eval();
        top_.clk = 1;
        top_.eval();
        now_++;
        listen(top_.serial_tx);
    }

    // Each bit is looked at in its middle.
    void listen(bool level) {
        if (bit_ < 0) {
            if (level) return;
            bit_ = 0;
            next_ = static_cast<double>(now_) + bit_clocks_ / 2;
            byte_ = 0;
            return;
        }
        if (static_cast<double>(now_) < next_) return;
        next_ += bit_clocks_;
        if (bit_ == 0 && level) {
            bit_ = -1;  // no start bit
        } else if (bit_ == 9) {
            received_.push_back(level ? static_cast<int>(byte_) : -1);
            bit_ = -1;
        } else {
            if (bit_ > 0) byte_ |= static_cast<unsigned>(level) << (bit_ - 1);
            bit_++;
        }
    }

    VerilatedContext context_;
    Vmodel top_;
    const double bit_clocks_;
    double rest_ = 0, next_ = 0;
    uint64_t now_ = 0;
    int bit_ = -1;
    unsigned byte_ = 0;
    std::deque<int> received_;
};

Soc* soc(void* handle) { return static_cast<Soc*>(handle); }

}  // namespace

#define HF_API extern "C" __attribute__((visibility("default")))

// An SoC in reset, whose serial line takes `bit_clocks` clocks a bit. Returns null or an error of
// one line; so do the other functions.
HF_API const char* hf_open(void** handle, double bit_clocks) {
    return fault_of([=] { *handle = new Soc(bit_clocks); });
}
HF_API void hf_close(void* handle) { delete soc(handle); }

// Loads words into the RAM, from its beginning, and ends the reset.
HF_API const char* hf_load(void* handle, const uint32_t* words, uint64_t count) {
    return fault_of([=] { soc(handle)->load(words, count); });
}
HF_API const char* hf_read(void* handle, uint64_t first, uint32_t* words, uint64_t count) {
    return fault_of([=] { soc(handle)->read(first, words, count); });
}
HF_API const char* hf_send(void* handle, uint8_t byte) {
    return fault_of([=] { soc(handle)->send(byte); });
}
// The next byte that the SoC sends, within `patience` clocks.
HF_API const char* hf_receive(void* handle, uint64_t patience, uint8_t* byte) {
    return fault_of([=] { *byte = static_cast<uint8_t>(soc(handle)->receive(patience)); });
}
// Runs for `clocks` clocks, or until a byte can be received; `there`: whether one can.
HF_API const char* hf_run(void* handle, uint64_t clocks, uint8_t* there) {
    return fault_of([=] { *there = soc(handle)->run(clocks); });
}
HF_API uint64_t hf_clocks(void* handle) { return soc(handle)->now(); }
