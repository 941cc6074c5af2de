// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Simulates a netlist for many traces at once, a bit of a vector for each, with glitches, and tests
// the traces for a difference between secrets that are fixed and those that are random. A gate has
// a delay of one to three units of time and passes every pulse. The schedule of evaluations is the
// same for all traces: a gate is evaluated at each time at which one of its inputs can change. A
// trace's sample in a clock is the number of edges of all counted nets in it. Loaded by
// leakage/traces.py through the flat functions below.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "lanes.h"

namespace {

constexpr unsigned kSlots = 4;  // more than the longest delay
constexpr unsigned kLevels = 28;  // bits of a sum

// An evaluation of a gate at a time, which changes its output at another.
struct Event {
    uint32_t time;
    uint32_t gate;
    uint32_t to;
};
// Drives a net in a clock: 0 with `value`, 1 at random, 2 with the secret `value` added to `count`
// nets from `from` on in the list of nets.
struct Drive {
    uint32_t clock;
    uint32_t net;
    uint32_t kind;
    uint32_t value;
    uint32_t from;
    uint32_t count;
};

// Numbers of edges, a sum for each trace: bit l of the sums is ones_[l] and what is held there.
class Sums {
   public:
    void clear() {
        std::memset(ones_, 0, sizeof ones_);
        std::memset(held_, 0, sizeof held_);
    }
    void add(Bits x, unsigned level = 0) {
        while (held_[level]) {
            held_[level] = false;
            const Bits a = ones_[level], b = kept_[level], c = a ^ b;
            ones_[level] = c ^ x;
            x = (a & b) | (c & x);
            level++;
        }
        held_[level] = true;
        kept_[level] = x;
    }
    void read(uint32_t* sums, size_t step) {
        for (unsigned level = 0; level < kLevels; level++) {
            if (!held_[level]) continue;
            held_[level] = false;
            Bits carry = kept_[level];
            for (unsigned at = level; at < kLevels; at++) {
                const Bits next = ones_[at] & carry;
                ones_[at] ^= carry;
                carry = next;
            }
        }
        for (unsigned lane = 0; lane < kLanes; lane++) {
            uint32_t sum = 0;
            for (unsigned level = 0; level < kLevels; level++) {
                sum |= static_cast<uint32_t>(ones_[level][lane / 64] >> (lane % 64) & 1) << level;
            }
            sums[lane * step] = sum;
        }
    }

   private:
    Bits ones_[kLevels + 1], kept_[kLevels + 1];
    bool held_[kLevels + 1];
};

// xoshiro256** (Blackman, Vigna), one generator for each word of a vector.
class Random {
   public:
    explicit Random(uint64_t seed) {
        for (auto& state : s_) {
            for (unsigned word = 0; word < kWords; word++) {
                seed += 0x9e3779b97f4a7c15;
                uint64_t z = seed;
                z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
                z = (z ^ z >> 27) * 0x94d049bb133111eb;
                state[word] = z ^ z >> 31;
            }
        }
    }
    Bits next() {
        const Bits x = s_[1] * 5, result = (x << 7 | x >> 57) * 9, t = s_[1] << 17;
        s_[2] ^= s_[0];
        s_[3] ^= s_[1];
        s_[1] ^= s_[2];
        s_[0] ^= s_[3];
        s_[2] ^= t;
        s_[3] = s_[3] << 45 | s_[3] >> 19;
        return result;
    }

   private:
    Bits s_[4];
};

struct Program {
    uint32_t nets, clocks, from;  // clocks before `from` are not measured
    const Gate* gates;
    uint32_t gate_count;
    const Register* registers;
    uint32_t register_count;
    const Event* events;  // in order of time
    uint32_t event_count;
    const Drive* drives;  // in order of clocks; those of clock 0 set registers too
    uint32_t drive_count;
    const uint32_t* list;
    const uint8_t* fixed;  // the fixed value of each secret
    uint32_t secrets;
};

class Simulation {
   public:
    Simulation(const Program& program, uint64_t seed)
        : p_(program), random_(seed), value_(p_.nets), pending_(p_.gate_count * kSlots) {
        next_.resize(p_.register_count);
        secret_.resize(p_.secrets);
        uint32_t latest = 0;
        for (uint32_t i = 0; i < p_.event_count; i++) latest = std::max(latest, p_.events[i].to);
        commits_.resize(latest + 1);
        for (uint32_t i = 0; i < p_.event_count; i++) {
            commits_[p_.events[i].to].push_back(p_.events[i].gate);
        }
    }

    // Simulates kLanes traces; `samples` has `clocks - from` numbers for each.
    void run(uint32_t* samples, uint8_t* groups) {
        const uint32_t measured = p_.clocks - p_.from;
        const Bits group = random_.next();
        for (unsigned lane = 0; lane < kLanes; lane++) {
            groups[lane] = group[lane / 64] >> (lane % 64) & 1;
        }
        for (uint32_t s = 0; s < p_.secrets; s++) {
            secret_[s] = (group & random_.next()) | (~group & all(p_.fixed[s] != 0));
        }
        std::fill(value_.begin(), value_.end(), all(false));
        value_[1] = all(true);
        const Drive* drive = p_.drives;
        const Drive* const end = p_.drives + p_.drive_count;
        for (uint32_t clock = 0; clock < p_.clocks; clock++) {
            sums_.clear();
            const bool counts = clock >= p_.from;
            if (clock > 0) {
                for (uint32_t r = 0; r < p_.register_count; r++) {
                    next_[r] = value_[p_.registers[r].data];
                }
                for (uint32_t r = 0; r < p_.register_count; r++) {
                    Bits& value = value_[p_.registers[r].out];
                    if (counts) sums_.add(value ^ next_[r]);
                    value = next_[r];
                }
            }
            for (; drive != end && drive->clock == clock; drive++) {
                Bits value = drive->kind == 1 ? random_.next() : all(drive->value != 0);
                if (drive->kind == 2) {
                    value = secret_[drive->value];
                    for (uint32_t i = 0; i < drive->count; i++) {
                        value ^= value_[p_.list[drive->from + i]];
                    }
                }
                value_[drive->net] = value;
            }
            settle(counts);
            if (counts) sums_.read(samples + (clock - p_.from), measured);
        }
    }

    bool lane(uint32_t net, unsigned lane) const {
        return value_[net][lane / 64] >> (lane % 64) & 1;
    }

   private:
    void settle(bool counts) {
        const Event* event = p_.events;
        const Event* const end = p_.events + p_.event_count;
        for (uint32_t time = 0; time < commits_.size(); time++) {
            for (const uint32_t number : commits_[time]) {
                const Gate& gate = p_.gates[number];
                const Bits next = pending_[number * kSlots + time % kSlots];
                if (counts && gate.counted) sums_.add(value_[gate.out] ^ next);
                value_[gate.out] = next;
            }
            for (; event != end && event->time == time; event++) {
                const Gate& gate = p_.gates[event->gate];
                Bits in[kInputs];
                for (unsigned i = 0; i < gate.count; i++) in[i] = value_[gate.inputs[i]];
                pending_[event->gate * kSlots + event->to % kSlots] =
                    evaluate(gate.table, gate.count, in);
            }
        }
    }

    Program p_;
    Random random_;
    std::vector<Bits> value_, pending_, next_, secret_;
    std::vector<std::vector<uint32_t>> commits_;
    Sums sums_;
};

// Welch's t of two groups of numbers.
class Welch {
   public:
    void add(bool group, double x) {
        count_[group]++;
        const double delta = x - mean_[group];
        mean_[group] += delta / count_[group];
        squares_[group] += delta * (x - mean_[group]);
    }
    double mean(bool group) const { return mean_[group]; }
    double t() const {
        double variance = 0;
        for (unsigned g = 0; g < 2; g++) {
            if (count_[g] < 2) return 0;
            variance += squares_[g] / (count_[g] - 1) / count_[g];
        }
        const double difference = mean_[0] - mean_[1];
        if (variance <= 0) return difference == 0 ? 0 : std::copysign(1e9, difference);
        return difference / std::sqrt(variance);
    }

   private:
    double count_[2] = {}, mean_[2] = {}, squares_[2] = {};
};

}  // namespace

#define HF_API extern "C" __attribute__((visibility("default")))

// Simulates `batches` times kLanes traces. `nets` are read of the last trace after the last clock.
HF_API void hf_traces_run(const Program* program, uint64_t seed, uint32_t batches,
                          uint32_t* samples, uint8_t* groups, const uint32_t* nets,
                          uint32_t net_count, uint8_t* read) {
    Simulation simulation(*program, seed);
    const size_t measured = program->clocks - program->from;
    for (size_t batch = 0; batch < batches; batch++) {
        simulation.run(samples + batch * kLanes * measured, groups + batch * kLanes);
    }
    for (uint32_t i = 0; i < net_count; i++) read[i] = simulation.lane(nets[i], kLanes - 1);
}

// First order: t of the samples of each clock in first[clock]. Second order: t of the products of
// the samples of two clocks, each less its group's mean, in second[clock * clocks + other].
HF_API void hf_traces_test(const uint32_t* samples, const uint8_t* groups, uint64_t traces,
                           uint32_t clocks, double* first, double* second) {
    std::vector<Welch> means(clocks);
    for (uint64_t i = 0; i < traces; i++) {
        for (uint32_t c = 0; c < clocks; c++) means[c].add(groups[i], samples[i * clocks + c]);
    }
    std::vector<Welch> products(size_t{clocks} * clocks);
    std::vector<double> centred(clocks);
    for (uint64_t i = 0; i < traces; i++) {
        for (uint32_t c = 0; c < clocks; c++) {
            centred[c] = samples[i * clocks + c] - means[c].mean(groups[i]);
        }
        for (uint32_t c = 0; c < clocks; c++) {
            for (uint32_t d = c; d < clocks; d++) {
                products[size_t{c} * clocks + d].add(groups[i], centred[c] * centred[d]);
            }
        }
    }
    for (uint32_t c = 0; c < clocks; c++) {
        first[c] = means[c].t();
        for (uint32_t d = 0; d < clocks; d++) {
            second[size_t{c} * clocks + d] = products[size_t{c} * clocks + d].t();
        }
    }
}
