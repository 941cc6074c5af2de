// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Drives a Verilated SoC (docs/integrate/soc.md): loads its RAM, lets it run from reset, and talks with its
// program over the serial line, bit by bit: a start bit, eight bits, a stop bit. Counts clocks,
// instructions and bus accesses in calls of chosen functions.

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

#include "Vmodel.h"
#include "Vmodel_VexRiscv.h"
#include "Vmodel_hf_litex_soc.h"
#include "fault.h"
#include "report.h"

namespace {

constexpr unsigned kResetClocks = 8;
constexpr uint32_t kRam = 0x40000000;
constexpr unsigned kReturnAddress = 1;  // the register ra

// Who uses the bus, in the order of `Traffic` of simulate/soc.py.
enum Use : unsigned {
    kFetch,  // an instruction cache line
    kRamRead,  // a data cache line, or a word
    kRamWrite,
    kPeripheralRead,
    kPeripheralWrite,
    kOther,  // timer, UART
    kUses
};

// Calls of functions: what the processor and its bus do from the first instruction of a call to the
// last one. A function that another one calls belongs to that one's call.
class Profile {
   public:
    void begin(const uint32_t* entries, uint64_t count, uint64_t words) {
        entries_.assign(entries, entries + count);
        clocks_.assign(words, 0);
        instructions_.assign(words, 0);
        accesses_.fill(0);
        bus_clocks_.fill(0);
        calls_.clear();
        running_ = false;
        on_ = true;
    }

    // One clock: what the processor completes in it, and what is on the bus.
    void clock(const Vmodel_hf_litex_soc& soc, const Vmodel_VexRiscv& cpu) {
        if (!on_) return;
        if (cpu.lastStageRegFileWrite_valid &&
            cpu.lastStageRegFileWrite_payload_address == kReturnAddress) {
            return_ = cpu.lastStageRegFileWrite_payload_data;
        }
        waited_++;
        if (cpu.lastStageIsFiring) {
            const uint32_t address = cpu.lastStagePc;
            if (running_ && address == end_) {
                running_ = false;
                calls_.push_back(spent_);
            }
            if (!running_ &&
                std::find(entries_.begin(), entries_.end(), address) != entries_.end()) {
                running_ = true;
                end_ = return_;
                spent_ = 0;
                waited_ = 1;  // what the caller has waited for is its own
            }
            const uint32_t word = (address - kRam) / 4;
            if (running_ && word < clocks_.size()) {
                clocks_[word] += waited_;
                instructions_[word]++;
                spent_ += waited_;
            }
            waited_ = 0;
        }
        if (running_ && soc.soc_shared_cyc && soc.soc_shared_stb) {
            const Use use = use_of(soc);
            bus_clocks_[use]++;
            if (soc.soc_shared_ack) accesses_[use]++;
        }
    }

    const std::vector<uint64_t>& calls() const { return calls_; }
    void counted(uint64_t* clocks, uint64_t* instructions, uint64_t* accesses,
                 uint64_t* bus_clocks) const {
        std::copy(clocks_.begin(), clocks_.end(), clocks);
        std::copy(instructions_.begin(), instructions_.end(), instructions);
        std::copy(accesses_.begin(), accesses_.end(), accesses);
        std::copy(bus_clocks_.begin(), bus_clocks_.end(), bus_clocks);
    }

   private:
    static Use use_of(const Vmodel_hf_litex_soc& soc) {
        const bool writes = soc.soc_shared_we;
        if (soc.soc_master & 1u) {
            return soc.soc_grant == 0 ? kFetch : writes ? kRamWrite : kRamRead;
        }
        if (soc.soc_master & 6u) return writes ? kPeripheralWrite : kPeripheralRead;
        return kOther;
    }

    bool on_ = false, running_ = false;
    uint32_t return_ = 0, end_ = 0;
    uint64_t waited_ = 0, spent_ = 0;
    std::vector<uint32_t> entries_;
    std::vector<uint64_t> clocks_, instructions_, calls_;  // the first two by the word of code
    std::array<uint64_t, kUses> accesses_{}, bus_clocks_{};
};

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

    Profile& profile() { return profile_; }
    uint64_t ram_words() const {
        return sizeof top_.hf_litex_soc->main_ram / sizeof top_.hf_litex_soc->main_ram[0];
    }

   private:
    void edge() {
        top_.clk = 0;
        top_.eval();
        profile_.clock(*top_.hf_litex_soc, *top_.hf_litex_soc->VexRiscv);
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
    Profile profile_;
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

// From here on, calls of the functions that begin at `entries` are counted, from zero.
HF_API const char* hf_profile(void* handle, const uint32_t* entries, uint64_t count) {
    return fault_of([=] { soc(handle)->profile().begin(entries, count, soc(handle)->ram_words()); });
}
// The calls that have ended: how many; the clocks of the first `most` of them.
HF_API uint64_t hf_calls(void* handle, uint64_t* clocks, uint64_t most) {
    const auto& calls = soc(handle)->profile().calls();
    std::copy_n(calls.begin(), std::min<uint64_t>(most, calls.size()), clocks);
    return calls.size();
}
// In all calls: clocks and instructions of each word of the RAM as code; accesses of the bus, and
// the clocks in which it is taken, by their use.
HF_API void hf_counted(void* handle, uint64_t* clocks, uint64_t* instructions, uint64_t* accesses,
                       uint64_t* bus_clocks) {
    soc(handle)->profile().counted(clocks, instructions, accesses, bus_clocks);
}
