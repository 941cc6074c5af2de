// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Simulates a netlist of gates and registers, event by event, and counts every net's edges. Each net
// follows its driver after a delay of its own, one to rise and one to fall, and a pulse shorter than
// that is swallowed. The clock network takes no time: a balanced clock tree. Loaded by
// netlist/gates.py through the flat functions below.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr unsigned kInputs = 6;
constexpr uint64_t kNever = ~uint64_t{0};
constexpr uint64_t kPatience = 10'000'000;  // units of time until it oscillates

struct Gate {
    uint32_t out;
    uint32_t inputs[kInputs];
    uint32_t count;
    uint32_t clock;  // 0, or its place in the clock network's order, from 1
    uint64_t table;
};

struct Register {
    uint32_t out;
    uint32_t data;
    uint32_t clock;
    uint32_t edge;  // 1: flip-flop, 0: latch
    uint32_t inverted;
};

struct Delay {
    uint32_t rise;  // 1 at least
    uint32_t fall;
};

struct Counts {
    uint64_t rises;
    uint64_t falls;
    uint64_t settled_rises;  // at most one edge a clock
    uint64_t settled_falls;
};

// For each net, the numbers of what reads it: users[first[net]] to users[first[net + 1]].
struct Users {
    std::vector<uint32_t> first;
    std::vector<uint32_t> users;

    template <typename Visit>
    void build(uint32_t nets, const Visit& visit) {
        first.assign(nets + 1, 0);
        visit([&](uint32_t net, uint32_t) { first[net + 1]++; });
        for (uint32_t net = 0; net < nets; net++) first[net + 1] += first[net];
        users.resize(first[nets]);
        std::vector<uint32_t> at(first.begin(), first.end() - 1);
        visit([&](uint32_t net, uint32_t user) { users[at[net]++] = user; });
    }
};

class Sim {
  public:
    Sim(uint32_t nets, const uint8_t* clock_nets, const Gate* gates, uint32_t gate_count,
        const Register* registers, uint32_t register_count, const Delay* delays,
        const uint8_t* start)
        : clock_nets_(clock_nets, clock_nets + nets),
          delays_(delays, delays + nets),
          gates_(gates, gates + gate_count),
          registers_(registers, registers + register_count),
          value_(start, start + nets),
          counts_(nets),
          pending_(nets, kNever),
          touched_(nets, 0),
          before_(nets, 0),
          gate_queued_(gate_count, 0),
          register_queued_(register_count, 0) {
        gate_users_.build(nets, [&](const auto& say) {
            for (uint32_t i = 0; i < gate_count; i++) {
                for (uint32_t k = 0; k < gates_[i].count; k++) say(gates_[i].inputs[k], i);
            }
        });
        clock_users_.build(nets, [&](const auto& say) {
            for (uint32_t i = 0; i < register_count; i++) say(registers_[i].clock, i);
        });
        latch_users_.build(nets, [&](const auto& say) {
            for (uint32_t i = 0; i < register_count; i++) {
                if (!registers_[i].edge) say(registers_[i].data, i);
            }
        });
        for (uint32_t i = 0; i < gate_count; i++) {
            if (gates_[i].clock > order_.size()) order_.resize(gates_[i].clock);
            if (gates_[i].clock) order_[gates_[i].clock - 1] = i;
        }
        uint32_t longest = 1;
        for (const Delay& delay : delays_) longest = std::max({longest, delay.rise, delay.fall});
        wheel_.resize(longest + 1);
        for (uint32_t i = 0; i < gate_count; i++) queue_gate(i);
        for (uint32_t i = 0; i < register_count; i++) {
            if (!registers_[i].edge) queue_register(i);
        }
        starting_ = true;
        settle();
        starting_ = false;
    }

    // Change nets from outside, all at once, and run until nothing moves.
    void drive(const uint32_t* nets, const uint8_t* values, uint32_t count) {
        time_ = 0;
        for (uint32_t i = 0; i < count; i++) {
            if (value_[nets[i]] != values[i]) flip(nets[i]);
        }
        settle();
    }

    uint8_t value(uint32_t net) const { return value_[net]; }

    void counting(bool on) {
        end_clock();
        counting_ = on;
    }

    // A clock is over: what each net has come to counts as settled.
    void end_clock() {
        for (const uint32_t net : touched_list_) {
            touched_[net] = 0;
            if (!counting_ || clock_nets_[net] || value_[net] == before_[net]) continue;
            (value_[net] ? counts_[net].settled_rises : counts_[net].settled_falls)++;
        }
        touched_list_.clear();
    }

    const std::vector<Counts>& counts() const { return counts_; }

  private:
    void queue_gate(uint32_t gate) {
        if (gate_queued_[gate]) return;
        gate_queued_[gate] = 1;
        if (!gates_[gate].clock) dirty_gates_.push_back(gate);
        else clock_dirty_ = true;
    }

    void queue_register(uint32_t index) {
        if (register_queued_[index]) return;
        register_queued_[index] = 1;
        dirty_registers_.push_back(index);
    }

    bool evaluate(const Gate& gate) const {
        uint32_t row = 0;
        for (uint32_t k = 0; k < gate.count; k++) row |= uint32_t{value_[gate.inputs[k]]} << k;
        return (gate.table >> row) & 1;
    }

    void flip(uint32_t net) {
        if (!touched_[net]) {
            touched_[net] = 1;
            before_[net] = value_[net];
            touched_list_.push_back(net);
        }
        value_[net] ^= 1;
        if (counting_) {
            Counts& counts = counts_[net];
            (value_[net] ? counts.rises : counts.falls)++;
            if (clock_nets_[net]) (value_[net] ? counts.settled_rises : counts.settled_falls)++;
        }
        for (uint32_t i = gate_users_.first[net]; i < gate_users_.first[net + 1]; i++) {
            queue_gate(gate_users_.users[i]);
        }
        for (uint32_t i = latch_users_.first[net]; i < latch_users_.first[net + 1]; i++) {
            queue_register(latch_users_.users[i]);
        }
        for (uint32_t i = clock_users_.first[net]; i < clock_users_.first[net + 1]; i++) {
            const Register& cell = registers_[clock_users_.users[i]];
            const bool active = value_[net] != cell.inverted;
            if (!cell.edge) {
                queue_register(clock_users_.users[i]);
            } else if (active && !starting_) {
                if (time_ != 0) throw std::runtime_error("a clock edge comes later than the clock");
                queue_register(clock_users_.users[i]);
            }
        }
    }

    // A net's driver says `wanted`. If the opposite is on its way, that was too short a pulse.
    void follow(uint32_t net, bool wanted) {
        if (pending_[net] != kNever) {
            if (wanted == value_[net]) {
                pending_[net] = kNever;
                events_--;
            }
        } else if (wanted != value_[net]) {
            const uint64_t at = time_ + (wanted ? delays_[net].rise : delays_[net].fall);
            pending_[net] = at;
            wheel_[at % wheel_.size()].push_back(net);
            events_++;
        }
    }

    // Run until nothing moves. What happens at one time happens at once: all nets first, then the
    // clock network, then whatever looks at them. So a flip-flop, whose clock moves at time 0 only,
    // takes what its data was in front of the edge.
    void settle() {
        for (time_ = 0;; time_++) {
            std::vector<uint32_t>& now = wheel_[time_ % wheel_.size()];
            for (const uint32_t net : now) {
                if (pending_[net] != time_) continue;  // swallowed
                pending_[net] = kNever;
                events_--;
                flip(net);
            }
            now.clear();
            if (clock_dirty_) {
                clock_dirty_ = false;
                for (const uint32_t index : order_) {
                    if (!gate_queued_[index]) continue;
                    gate_queued_[index] = 0;
                    const Gate& gate = gates_[index];
                    if (evaluate(gate) != value_[gate.out]) flip(gate.out);
                }
            }
            for (const uint32_t index : dirty_gates_) {
                gate_queued_[index] = 0;
                follow(gates_[index].out, evaluate(gates_[index]));
            }
            dirty_gates_.clear();
            for (const uint32_t index : dirty_registers_) {
                const Register& cell = registers_[index];
                register_queued_[index] = 0;
                if (!cell.edge && value_[cell.clock] == cell.inverted) continue;  // latch closed
                follow(cell.out, value_[cell.data]);
            }
            dirty_registers_.clear();
            if (events_ == 0) return;
            if (time_ > kPatience) throw std::runtime_error("the netlist oscillates");
        }
    }

    std::vector<uint8_t> clock_nets_;
    std::vector<Gate> gates_;
    std::vector<Register> registers_;
    std::vector<Delay> delays_;
    std::vector<uint8_t> value_;
    std::vector<Counts> counts_;
    std::vector<uint64_t> pending_;  // when the net flips, if it does
    std::vector<std::vector<uint32_t>> wheel_;  // nets that may flip, by time
    std::vector<uint8_t> touched_, before_, gate_queued_, register_queued_;
    Users gate_users_, clock_users_, latch_users_;
    std::vector<uint32_t> order_;  // the clock network's gates, drivers first
    std::vector<uint32_t> touched_list_, dirty_gates_, dirty_registers_;
    uint64_t time_ = 0;
    uint64_t events_ = 0;  // nets that are to flip
    bool clock_dirty_ = false;
    bool counting_ = false;
    bool starting_ = false;
};

std::string error;

template <typename Body>
int guarded(const Body& body) {
    try {
        body();
        return 0;
    } catch (const std::exception& fault) {
        error = fault.what();
        return -1;
    }
}

}  // namespace

#define HF_API extern "C" __attribute__((visibility("default")))

HF_API const char* hf_gates_error() { return error.c_str(); }

// Returns null on an error.
HF_API void* hf_gates_open(uint32_t nets, const uint8_t* clock_nets, const Gate* gates,
                           uint32_t gate_count, const Register* registers,
                           uint32_t register_count, const Delay* delays,
                           const uint8_t* start) {
    Sim* sim = nullptr;
    guarded([&] {
        sim = new Sim(nets, clock_nets, gates, gate_count, registers, register_count, delays,
                      start);
    });
    return sim;
}

HF_API void hf_gates_close(void* sim) { delete static_cast<Sim*>(sim); }

HF_API int hf_gates_drive(void* sim, const uint32_t* nets, const uint8_t* values,
                          uint32_t count) {
    return guarded([&] { static_cast<Sim*>(sim)->drive(nets, values, count); });
}

HF_API void hf_gates_read(void* sim, const uint32_t* nets, uint8_t* values, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) values[i] = static_cast<Sim*>(sim)->value(nets[i]);
}

HF_API void hf_gates_counting(void* sim, int on) { static_cast<Sim*>(sim)->counting(on != 0); }

HF_API void hf_gates_end_clock(void* sim) { static_cast<Sim*>(sim)->end_clock(); }

HF_API void hf_gates_counts(void* sim, Counts* counts) {
    const auto& all = static_cast<Sim*>(sim)->counts();
    std::copy(all.begin(), all.end(), counts);
}
