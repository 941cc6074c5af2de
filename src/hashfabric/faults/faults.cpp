// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Simulates a stream's mapped netlist with faults in it, many at once, a bit of a vector for each.
// No gate has a delay. A message is offered, and the receiver is ready in every clock; a fault may
// delay both, so each run has its own place in the message and in its output. Loaded by
// faults/campaign.py through the flat function below.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "lanes.h"

namespace {

constexpr uint32_t kNever = 0xffffffff;

// A fault at a net: kind 0 is the other value in one clock (a register keeps it), 1 and 2 are a 0
// and a 1 from that clock on. `run` is the run that has it; a run may have several.
struct Fault {
    uint32_t run;
    uint32_t net;
    uint32_t clock;
    uint32_t kind;
};
// The first clock of the alarm and of a wrong beat, and that of a right output's last beat; kNever
// where there is none.
struct Result {
    uint32_t alarm;
    uint32_t wrong;
    uint32_t complete;
};

struct Program {
    uint32_t nets, clocks, reset_clocks;
    const Gate* gates;  // in an order in which each comes after those that feed it
    uint32_t gate_count;
    const Register* registers;
    uint32_t register_count;
    uint32_t reset, s_valid, s_ready, m_valid, m_ready, alarm;  // nets
    const uint32_t* s_nets;  // of a beat
    uint32_t s_width;
    const uint8_t* s_bits;  // the message: s_beats times s_width
    uint32_t s_beats;
    const uint32_t* m_nets;
    uint32_t m_width;
    const uint8_t* m_bits;  // its output
    uint32_t m_beats;
    const uint32_t* muted;  // nets that stay 0
    uint32_t muted_count;
};

bool any(Bits x) { return (x[0] | x[1] | x[2] | x[3]) != 0; }
bool lane(Bits x, unsigned at) { return x[at / 64] >> (at % 64) & 1; }
Bits only(unsigned at) {
    Bits x{};
    x[at / 64] = uint64_t{1} << (at % 64);
    return x;
}

class Simulation {
   public:
    explicit Simulation(const Program& program) : p_(program), value_(p_.nets) {
        flips_.resize(p_.nets);
        zeros_.resize(p_.nets);
        ones_.resize(p_.nets);
        touched_.resize(p_.nets);
        next_.resize(p_.register_count);
        muted_.resize(p_.nets);
        for (uint32_t i = 0; i < p_.muted_count; i++) muted_[p_.muted[i]] = 1;
        record();
    }

    // The clock of the last beat without a fault, kNever if that run is not right.
    uint32_t golden() const { return golden_; }

    // Simulates the runs of `faults`, kLanes at most, which are numbered from 0.
    void run(const Fault* faults, uint32_t count, uint32_t runs, Result* results) {
        uint32_t clock = kNever;
        for (uint32_t i = 0; i < count; i++) clock = std::min(clock, faults[i].clock);
        clock = std::min(clock, golden_);
        load(clock);
        for (unsigned i = 0; i < runs; i++) results[i] = {kNever, kNever, kNever};
        Bits open{};  // runs that are not decided
        for (unsigned i = 0; i < runs; i++) open |= only(i);
        uint32_t last = clock;  // of a fault
        bool stuck = false;
        for (uint32_t i = 0; i < count; i++) {
            last = std::max(last, faults[i].clock);
            stuck |= faults[i].kind != 0;
        }
        for (; clock < p_.clocks && any(open); clock++) {
            std::vector<uint32_t> nets;
            for (uint32_t i = 0; i < count; i++) {
                const Fault& fault = faults[i];
                if (fault.kind == 0 ? fault.clock != clock : fault.clock > clock) continue;
                const Bits at = only(fault.run);
                (fault.kind == 0 ? flips_ : fault.kind == 1 ? zeros_ : ones_)[fault.net] |= at;
                if (!touched_[fault.net]) nets.push_back(fault.net);
                touched_[fault.net] = 1;
            }
            open &= ~step(clock, open, results);
            for (const uint32_t net : nets) {
                flips_[net] = zeros_[net] = ones_[net] = Bits{};
                touched_[net] = 0;
            }
            if (!stuck && clock >= last && clock + 1 < saved_.size()) {
                open &= ~same(clock + 1, results, open);
            }
        }
    }

   private:
    struct Saved {
        std::vector<uint8_t> registers;
        uint32_t sent, got;
    };

    void record() {
        std::fill(value_.begin(), value_.end(), all(false));
        value_[1] = all(true);
        sent_.assign(kLanes, 0);
        got_.assign(kLanes, 0);
        Result results[kLanes];
        std::fill(results, results + kLanes, Result{kNever, kNever, kNever});
        uint32_t drained = 0;
        for (uint32_t clock = 0; clock < p_.clocks; clock++) {
            save();
            step(clock, all(true), results);
            if (results[0].complete != kNever && ++drained > kDrain) break;
        }
        const bool right = results[0].complete != kNever && results[0].wrong == kNever &&
                           results[0].alarm == kNever;
        golden_ = right ? results[0].complete : kNever;
    }

    void save() {
        Saved saved{std::vector<uint8_t>(p_.register_count), sent_[0], got_[0]};
        for (uint32_t r = 0; r < p_.register_count; r++) {
            saved.registers[r] = lane(value_[p_.registers[r].out], 0);
        }
        saved_.push_back(saved);
    }

    void load(uint32_t clock) {
        const Saved& saved = saved_[clock];
        std::fill(value_.begin(), value_.end(), all(false));
        value_[1] = all(true);
        for (uint32_t r = 0; r < p_.register_count; r++) {
            value_[p_.registers[r].out] = all(saved.registers[r]);
        }
        std::fill(sent_.begin(), sent_.end(), saved.sent);
        std::fill(got_.begin(), got_.end(), saved.got);
    }

    // The runs of `open` that are as the one without a fault, from `clock` on.
    Bits same(uint32_t clock, Result* results, Bits open) {
        const Saved& saved = saved_[clock];
        Bits differs{};
        for (uint32_t r = 0; r < p_.register_count; r++) {
            differs |= value_[p_.registers[r].out] ^ all(saved.registers[r]);
        }
        Bits found{};
        for (unsigned i = 0; i < kLanes; i++) {
            if (lane(differs, i) || !lane(open, i)) continue;
            if (sent_[i] != saved.sent || got_[i] != saved.got) continue;
            results[i].complete = golden_;
            found |= only(i);
        }
        return found;
    }

    Bits broken(uint32_t net, Bits value) const {
        return ((value ^ flips_[net]) & ~zeros_[net]) | ones_[net];
    }

    // Offers each run the beat at its place in the message.
    void drive() {
        Bits valid{};
        std::vector<std::pair<uint32_t, Bits>> places;
        for (unsigned i = 0; i < kLanes; i++) {
            const uint32_t at = sent_[i];
            if (at >= p_.s_beats) continue;
            valid |= only(i);
            auto place = std::find_if(places.begin(), places.end(),
                                      [&](const auto& one) { return one.first == at; });
            if (place == places.end()) {
                places.push_back({at, Bits{}});
                place = places.end() - 1;
            }
            place->second |= only(i);
        }
        value_[p_.s_valid] = valid;
        for (uint32_t bit = 0; bit < p_.s_width; bit++) {
            Bits value{};
            for (const auto& [at, runs] : places) {
                if (p_.s_bits[at * p_.s_width + bit]) value |= runs;
            }
            if (p_.s_nets[bit] > 1) value_[p_.s_nets[bit]] = value;
        }
    }

    // A clock: registers have their values; inputs, gates, ports, and the registers' next values.
    // Returns the runs that are decided.
    Bits step(uint32_t clock, Bits open, Result* results) {
        for (uint32_t r = 0; r < p_.register_count; r++) {
            const uint32_t net = p_.registers[r].out;
            if (touched_[net]) value_[net] = broken(net, value_[net]);
            if (muted_[net]) value_[net] = all(false);
        }
        const bool reset = clock < p_.reset_clocks;
        value_[p_.reset] = all(reset);
        value_[p_.m_ready] = all(true);
        if (reset) {
            value_[p_.s_valid] = all(false);
        } else {
            drive();
        }
        for (uint32_t g = 0; g < p_.gate_count; g++) {
            const Gate& gate = p_.gates[g];
            Bits in[kInputs];
            for (unsigned i = 0; i < gate.count; i++) in[i] = value_[gate.inputs[i]];
            Bits value = evaluate(gate.table, gate.count, in);
            if (touched_[gate.out]) value = broken(gate.out, value);
            if (muted_[gate.out]) value = all(false);
            value_[gate.out] = value;
        }
        Bits decided{};
        if (!reset) decided = ports(clock, open, results);
        for (uint32_t r = 0; r < p_.register_count; r++) next_[r] = value_[p_.registers[r].data];
        for (uint32_t r = 0; r < p_.register_count; r++) value_[p_.registers[r].out] = next_[r];
        return decided;
    }

    Bits ports(uint32_t clock, Bits open, Result* results) {
        Bits decided{};
        const Bits accepted = value_[p_.s_valid] & value_[p_.s_ready] & open;
        const Bits taken = value_[p_.m_valid] & open;
        const Bits alarm = p_.alarm > 1 ? value_[p_.alarm] & open : Bits{};
        Bits wrong = taken;
        if (any(taken)) {
            std::vector<std::pair<uint32_t, Bits>> places;
            for (unsigned i = 0; i < kLanes; i++) {
                if (!lane(taken, i) || got_[i] >= p_.m_beats) continue;
                auto place = std::find_if(places.begin(), places.end(),
                                          [&](const auto& one) { return one.first == got_[i]; });
                if (place == places.end()) {
                    places.push_back({got_[i], Bits{}});
                    place = places.end() - 1;
                }
                place->second |= only(i);
            }
            for (const auto& [at, runs] : places) {
                Bits differs{};
                for (uint32_t bit = 0; bit < p_.m_width; bit++) {
                    differs |= value_[p_.m_nets[bit]] ^ all(p_.m_bits[at * p_.m_width + bit]);
                }
                wrong &= ~runs | differs;
            }
        }
        for (unsigned i = 0; i < kLanes; i++) {
            if (!lane(open, i)) continue;
            Result& result = results[i];
            if (lane(accepted, i)) sent_[i]++;
            if (lane(taken, i)) {
                got_[i]++;
                if (lane(wrong, i) && result.wrong == kNever) result.wrong = clock;
                if (got_[i] == p_.m_beats && result.wrong == kNever) result.complete = clock;
            }
            if (lane(alarm, i) && result.alarm == kNever) {
                result.alarm = clock;
                decided |= only(i);
            }
            // The alarm of a beat comes two clocks after it at most, or counts as none.
            if (result.complete != kNever && clock >= result.complete + kDrain) decided |= only(i);
            if (result.wrong != kNever && clock >= result.wrong + kDrain) decided |= only(i);
        }
        return decided;
    }

    static constexpr uint32_t kDrain = 2;
    Program p_;
    std::vector<Bits> value_, next_, flips_, zeros_, ones_;
    std::vector<uint8_t> touched_, muted_;
    std::vector<uint32_t> sent_, got_;
    std::vector<Saved> saved_;
    uint32_t golden_ = kNever;
};

}  // namespace

extern "C" {

// Simulates the runs of `faults`, which come in order of `run`, and writes a result for each.
// Returns the clock of the last beat without a fault, 0xffffffff if that run is not right.
__attribute__((visibility("default"))) uint32_t hf_faults_run(const Program* program,
                                                              const Fault* faults, uint32_t count,
                                                              uint32_t runs, Result* results) {
    Simulation simulation(*program);
    if (simulation.golden() == kNever) return kNever;
    std::vector<Fault> batch;
    uint32_t at = 0;
    for (uint32_t first = 0; first < runs; first += kLanes) {
        const uint32_t size = std::min(runs - first, kLanes);
        batch.clear();
        for (; at < count && faults[at].run < first + size; at++) {
            batch.push_back(faults[at]);
            batch.back().run -= first;
        }
        simulation.run(batch.data(), batch.size(), size, results + first);
    }
    return simulation.golden();
}
}
