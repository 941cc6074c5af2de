// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Drives a Verilated peripheral (docs/integrate/regs.md) by its bus, one access after the other as fast as
// the bus allows: APB4, AXI4-Lite or Wishbone, whichever the model's top has. A top with a DMA master
// has a memory at that bus: it answers after a clock, and then a word a clock.

#include <cstdint>
#include <cstring>
#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

#include "Vmodel.h"
#include "fault.h"
#include "report.h"

namespace {

constexpr unsigned kResetClocks = 4;
constexpr uint64_t kPatience = 300000;  // clocks; docs/integrate/regs.md allows far less
constexpr uint32_t kMemoryBase = 0x40000000;
constexpr uint32_t kMemorySize = 0x100000;  // a power of two

// Memory from kMemoryBase on; elsewhere there is nothing.
class Memory {
   public:
    uint8_t* bytes() {
        if (bytes_.empty()) bytes_.resize(kMemorySize);
        return bytes_.data();
    }
    // Each returns whether the word, of 32 or 64 bits, is there.
    template <typename Word>
    bool read(uint32_t address, Word& word) {
        word = 0;
        if (address - kMemoryBase >= kMemorySize) return false;
        std::memcpy(&word, bytes() + (address - kMemoryBase), sizeof word);
        return true;
    }
    template <typename Word>
    bool write(uint32_t address, Word word, unsigned strobe) {
        if (address - kMemoryBase >= kMemorySize) return false;
        for (unsigned i = 0; i < sizeof word; i++) {
            if (strobe >> i & 1) bytes()[address - kMemoryBase + i] = uint8_t(word >> 8 * i);
        }
        return true;
    }

   private:
    std::vector<uint8_t> bytes_;
};

class Peripheral {
   public:
    Peripheral() : top_(&context_) {
        top_.rst_i = 1;
        no_stream(top_, 0);
        no_id(top_, 0);
        quiet(top_, 0);
        for (unsigned i = 0; i < kResetClocks; i++) edge();
        top_.rst_i = 0;
    }
    // A model's scopes leave the thread's context, which is that of the model that ran last.
    ~Peripheral() {
        Verilated::threadContextp(&context_);
        top_.final();
    }

    // One access: what was read, of a read.
    uint32_t access(bool write, uint32_t address, uint32_t data, unsigned strobe) {
        const uint32_t found = transfer(top_, write, address, data, strobe, 0);
        quiet(top_, 0);
        return found;
    }
    void wait(uint64_t clocks) {
        for (uint64_t i = 0; i < clocks; i++) edge();
    }
    uint64_t now() const { return now_; }
    bool interrupt() const { return top_.irq_o != 0; }
    // Null without a DMA master.
    uint8_t* memory() { return has_memory(top_, 0) ? memory_.bytes() : nullptr; }

   private:
    void edge() {
        top_.clk_i = 0;
        top_.eval();
        serve(top_, 0);
        top_.clk_i = 1;
        top_.eval();
        now_++;
    }
    void settle() {
        top_.clk_i = 0;
        top_.eval();
    }
    // Waits for a clock in which `ready` is true; its edge is still to come.
    template <typename Ready>
    void until(Ready ready) {
        for (uint64_t i = 0; i < kPatience; i++) {
            settle();
            if (ready()) return;
            edge();
        }
        throw std::runtime_error("the bus does not answer in " + std::to_string(kPatience) +
                                 " clocks");
    }
    // The stream's input, and the ID of who accesses, where the top has them.
    template <typename Top>
    auto no_stream(Top& top, int) -> decltype(top.s_axis_tvalid, void()) {
        top.s_axis_tvalid = 0;
    }
    template <typename Top>
    void no_stream(Top&, long) {}
    template <typename Top>
    auto no_id(Top& top, int) -> decltype(top.s_apb_id_i, void()) {
        top.s_apb_id_i = 0;
    }
    template <typename Top>
    auto no_id(Top& top, int) -> decltype(top.wb_tga, void()) {
        top.wb_tga = 0;
    }
    template <typename Top>
    auto no_id(Top& top, int) -> decltype(top.s_axil_awuser, void()) {
        top.s_axil_awuser = top.s_axil_aruser = 0;
    }
    template <typename Top>
    void no_id(Top&, long) {}
    void fail() const { throw std::runtime_error("the bus answered with an error"); }

    // The DMA master's AXI4: what the bus shows in this clock, before its edge. Answers are those of
    // earlier clocks.
    template <typename Top>
    auto has_memory(Top& top, int) -> decltype(top.m_axi_araddr, bool()) {
        return true;
    }
    template <typename Top>
    auto serve(Top& top, int) -> decltype(top.m_axi_araddr, void()) {
        top.m_axi_arready = top.m_axi_awready = top.m_axi_wready = 1;
        top.m_axi_rvalid = !reads_.empty();
        if (top.m_axi_rvalid) {
            const bool there = memory_.read(reads_.front().address, top.m_axi_rdata);
            top.m_axi_rresp = there ? 0 : 3;
            top.m_axi_rlast = reads_.front().last;
        }
        top.m_axi_bvalid = answer_;
        top.m_axi_bresp = failed_ ? 3 : 0;
        top.eval();
        if (top.m_axi_bvalid && top.m_axi_bready) answer_ = failed_ = false;
        if (top.m_axi_rvalid && top.m_axi_rready) reads_.pop_front();
        if (top.m_axi_arvalid) {
            for (uint32_t i = 0; i <= top.m_axi_arlen; i++) {
                const uint32_t address = top.m_axi_araddr + uint32_t(sizeof top.m_axi_rdata) * i;
                reads_.push_back({address, i == top.m_axi_arlen});
            }
        }
        if (top.m_axi_awvalid) address_ = top.m_axi_awaddr;
        if (top.m_axi_wvalid) {
            if (!memory_.write(address_, top.m_axi_wdata, top.m_axi_wstrb)) failed_ = true;
            address_ += sizeof top.m_axi_wdata;
            if (top.m_axi_wlast) answer_ = true;
        }
    }

    // The same of Wishbone: as LiteX's SRAM with bursts.
    template <typename Top>
    auto has_memory(Top& top, int) -> decltype(top.m_wb_adr, bool()) {
        return true;
    }
    template <typename Top>
    auto serve(Top& top, int) -> decltype(top.m_wb_adr, void()) {
        const bool selected = top.m_wb_cyc && top.m_wb_stb;
        const bool now = selected && answer_;
        bool there = false;
        if (now) {
            const uint32_t address = uint32_t(top.m_wb_adr) << 2;
            there = top.m_wb_we ? memory_.write(address, top.m_wb_dat_w, top.m_wb_sel)
                                : memory_.read(address, word_);
        }
        top.m_wb_ack = now && there;
        top.m_wb_err = now && !there;
        top.m_wb_dat_r = word_;
        answer_ = selected && (!now || top.m_wb_cti == 2);
    }

    // No DMA master.
    template <typename Top>
    bool has_memory(Top&, long) {
        return false;
    }
    template <typename Top>
    void serve(Top&, long) {}

    // APB4.
    template <typename Top>
    auto quiet(Top& top, int) -> decltype(top.s_apb_psel, void()) {
        top.s_apb_psel = top.s_apb_penable = 0;
    }
    template <typename Top>
    auto transfer(Top& top, bool write, uint32_t address, uint32_t data, unsigned strobe, int)
        -> decltype(top.s_apb_psel, uint32_t()) {
        top.s_apb_psel = 1;
        top.s_apb_penable = 0;
        top.s_apb_pwrite = write;
        top.s_apb_paddr = address;
        top.s_apb_pwdata = data;
        top.s_apb_pstrb = strobe;
        edge();
        top.s_apb_penable = 1;
        until([&] { return top.s_apb_pready; });
        const uint32_t found = top.s_apb_prdata;
        if (top.s_apb_pslverr) fail();
        edge();
        return found;
    }

    // Wishbone.
    template <typename Top>
    auto quiet(Top& top, int) -> decltype(top.wb_cyc, void()) {
        top.wb_cyc = top.wb_stb = 0;
    }
    template <typename Top>
    auto transfer(Top& top, bool write, uint32_t address, uint32_t data, unsigned strobe, int)
        -> decltype(top.wb_cyc, uint32_t()) {
        top.wb_cyc = top.wb_stb = 1;
        top.wb_we = write;
        top.wb_adr = address >> 2;
        top.wb_dat_w = data;
        top.wb_sel = strobe;
        until([&] { return top.wb_ack || top.wb_err; });
        const uint32_t found = top.wb_dat_r;
        if (top.wb_err) fail();
        edge();
        return found;
    }

    // AXI4-Lite.
    template <typename Top>
    auto quiet(Top& top, int) -> decltype(top.s_axil_awvalid, void()) {
        top.s_axil_awvalid = top.s_axil_wvalid = top.s_axil_arvalid = 0;
        top.s_axil_bready = top.s_axil_rready = 0;
    }
    template <typename Top>
    auto transfer(Top& top, bool write, uint32_t address, uint32_t data, unsigned strobe, int)
        -> decltype(top.s_axil_awvalid, uint32_t()) {
        if (write) {
            top.s_axil_awvalid = top.s_axil_wvalid = top.s_axil_bready = 1;
            top.s_axil_awaddr = address;
            top.s_axil_wdata = data;
            top.s_axil_wstrb = strobe;
            // Both are ready together: the register block takes one write at a time.
            until([&] { return top.s_axil_awready && top.s_axil_wready; });
            edge();
            top.s_axil_awvalid = top.s_axil_wvalid = 0;
            until([&] { return top.s_axil_bvalid; });
            if (top.s_axil_bresp != 0) fail();
            edge();
            return 0;
        }
        top.s_axil_arvalid = top.s_axil_rready = 1;
        top.s_axil_araddr = address;
        until([&] { return top.s_axil_arready; });
        edge();
        top.s_axil_arvalid = 0;
        until([&] { return top.s_axil_rvalid; });
        const uint32_t found = top.s_axil_rdata;
        if (top.s_axil_rresp != 0) fail();
        edge();
        return found;
    }

    VerilatedContext context_;
    Vmodel top_;
    uint64_t now_ = 0;

    struct Read {
        uint32_t address;
        bool last;  // of its burst
    };
    Memory memory_;
    std::deque<Read> reads_;     // beats that are requested
    uint32_t word_ = 0;          // the last one that was read, of Wishbone
    uint32_t address_ = 0;       // of the next beat that is written
    bool answer_ = false;        // one is due
    bool failed_ = false;        // and is an error
};

Peripheral* peripheral(void* handle) { return static_cast<Peripheral*>(handle); }

}  // namespace

#define HF_API extern "C" __attribute__((visibility("default")))

// A peripheral after its reset. Returns null or an error of one line; so do the next two.
HF_API const char* hf_open(void** handle) {
    return fault_of([=] { *handle = new Peripheral; });
}
HF_API void hf_close(void* handle) { delete peripheral(handle); }

HF_API const char* hf_write(void* handle, uint32_t address, uint32_t data, uint32_t strobe) {
    return fault_of([=] { peripheral(handle)->access(true, address, data, strobe); });
}
HF_API const char* hf_read(void* handle, uint32_t address, uint32_t* data) {
    return fault_of([=] { *data = peripheral(handle)->access(false, address, 0, 15); });
}
// Clocks without an access.
HF_API void hf_wait(void* handle, uint64_t clocks) { peripheral(handle)->wait(clocks); }
// Clocks since it was opened.
HF_API uint64_t hf_clocks(void* handle) { return peripheral(handle)->now(); }
// The memory of a DMA master, or null: its bytes in turn, from `base` on.
HF_API uint8_t* hf_memory(void* handle, uint32_t* base, uint32_t* size) {
    *base = kMemoryBase;
    *size = kMemorySize;
    return peripheral(handle)->memory();
}
HF_API int hf_interrupt(void* handle) { return peripheral(handle)->interrupt(); }
