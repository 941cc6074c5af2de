// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Drives a Verilated hf_sparc_system and writes down every instruction that it has done: what
// the program saw before it, all registers of its window among it.

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

#include "Vmodel.h"
#include "fault.h"
#include "report.h"

namespace {

constexpr unsigned kResetClocks = 4, kWindows = 8, kPlaces = 136;

// An instruction, and the state before it. The words of a line in tests/systems/leon3.py.
struct Record {
    uint32_t pc, psr, wim, y, tbr;
    uint32_t registers[32];  // as the instruction numbers them
    uint32_t clock;          // in which it is in XC
    uint32_t trap;           // 1: it traps, and does nothing
};

struct State {
    uint32_t psr, wim, y, tbr;
};

class Board {
   public:
    Board() : top_(&context_) {
        top_.rst_i = 1;
        for (unsigned i = 0; i < kResetClocks; i++) edge();
    }
    ~Board() { top_.final(); }

    void load(const uint32_t* memory, uint64_t words) {
        top_.host_write_i = 1;
        for (uint64_t i = 0; i < words; i++) {
            top_.host_addr_i = i;
            top_.host_wdata_i = memory[i];
            edge();
        }
        top_.host_write_i = 0;
        edge();
    }

    // Runs until error mode, at most `clocks`, with an interrupt of level `irl` asked for from
    // clock `irl_clock` on until it is taken. Returns the number of instructions done.
    uint64_t run(uint64_t clocks, uint32_t irl, uint64_t irl_clock, Record* records,
                 uint64_t most_records, uint8_t* console, uint64_t most_console, uint32_t* mails,
                 uint64_t most_mails, uint64_t* counts) {
        uint64_t done = 0, said = 0, mailed = 0;
        uint32_t registers[kPlaces] = {};
        State before = {};  // of the clock cycle before: that of the instruction now in XC
        top_.rst_i = 0;
        for (uint64_t now = 0; now < clocks && !top_.error_o && done < most_records; now++) {
            if (irl != 0 && now == irl_clock) top_.irl_i = irl;
            top_.clk_i = 0;
            top_.eval();
            const auto& t = top_.trace_o;
            const State state = {t[3], t[2], t[1], t[0]};
            const uint32_t data = t[4], place = t[5] & 0xff, write = t[5] >> 8 & 1;
            const uint32_t cwp = t[5] >> 9 & 7, su = t[5] >> 12 & 1;
            const uint32_t pc = t[5] >> 13 | t[6] << 19, trap = t[6] >> 13 & 1;
            const uint32_t valid = t[6] >> 14 & 1;
            if (valid) {
                Record& record = records[done++];
                record.pc = pc;
                record.psr = (before.psr & ~0x87u) | su << 7 | cwp;
                record.wim = before.wim;
                record.y = before.y;
                record.tbr = before.tbr;
                for (unsigned i = 0; i < 32; i++) {
                    record.registers[i] =
                        registers[i < 8 ? 128 + i : (16 * cwp + i - 8) % (16 * kWindows)];
                }
                record.clock = static_cast<uint32_t>(now);
                record.trap = trap;
            }
            before = state;
            if (write) registers[place] = data;
            if (top_.irl_ack_o) top_.irl_i = 0;
            if (top_.console_valid_o && said < most_console) console[said++] = top_.console_data_o;
            if (top_.mail_valid_o && mailed < most_mails) {
                mails[2 * mailed] = top_.mail_data_o;
                mails[2 * mailed++ + 1] = static_cast<uint32_t>(now);
            }
            top_.clk_i = 1;
            top_.eval();
        }
        counts[0] = said;
        counts[1] = mailed;
        counts[2] = top_.error_o;
        return done;
    }

    void read(uint32_t* memory, uint64_t words) {
        top_.rst_i = 1;
        for (uint64_t i = 0; i < words; i++) {
            top_.host_addr_i = i;
            edge();
            memory[i] = top_.host_rdata_o;
        }
    }

   private:
    void edge() {
        top_.clk_i = 0;
        top_.eval();
        top_.clk_i = 1;
        top_.eval();
    }

    VerilatedContext context_;
    Vmodel top_;
};

}  // namespace

#define HF_API extern "C" __attribute__((visibility("default")))

// Returns null, or one line on what went wrong (valid until the next call). `counts` gets the bytes
// said to the console, the words mailed (each with its clock), error mode, and the instructions.
HF_API const char* hf_run_sparc(uint32_t* memory, uint64_t words, uint64_t clocks, uint32_t irl,
                                uint64_t irl_clock, uint32_t* records, uint64_t most_records,
                                uint8_t* console, uint64_t most_console, uint32_t* mails,
                                uint64_t most_mails, uint64_t* counts) {
    return fault_of([=] {
        Board board;
        board.load(memory, words);
        counts[3] = board.run(clocks, irl, irl_clock, reinterpret_cast<Record*>(records),
                              most_records, console, most_console, mails, most_mails, counts);
        board.read(memory, words);
    });
}
