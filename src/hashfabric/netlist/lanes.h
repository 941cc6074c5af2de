// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// A netlist that is simulated many times at once, a bit of a vector for each run: gates, registers,
// and the value of a gate. netlist/lanes.py makes the arrays.

#pragma once

#include <cstdint>

namespace {

constexpr unsigned kWords = 4;
constexpr unsigned kLanes = 64 * kWords;
constexpr unsigned kInputs = 6;
typedef uint64_t Bits __attribute__((vector_size(8 * kWords)));

struct Gate {
    uint32_t out;
    uint32_t inputs[kInputs];
    uint32_t count;
    uint32_t counted;  // not inside a cell
    uint64_t table;
};
struct Register {
    uint32_t out;
    uint32_t data;
};

Bits all(bool one) { return Bits{} - static_cast<uint64_t>(one); }

Bits evaluate(uint64_t table, unsigned count, const Bits* in) {
    const uint64_t mask = count == 6 ? ~uint64_t{0} : (uint64_t{1} << (1u << count)) - 1;
    table &= mask;
    if (table == 0) return all(false);
    if (table == mask) return all(true);
    const unsigned half = 1u << (count - 1);
    const uint64_t part = (uint64_t{1} << half) - 1;
    const uint64_t low = table & part, high = table >> half & part;
    const Bits x = in[count - 1];
    if (low == high) return evaluate(low, count - 1, in);
    if ((low ^ high) == part) return x ^ evaluate(low, count - 1, in);
    if (low == 0) return x & evaluate(high, count - 1, in);
    if (high == 0) return ~x & evaluate(low, count - 1, in);
    if (low == part) return ~x | evaluate(high, count - 1, in);
    if (high == part) return x | evaluate(low, count - 1, in);
    return (x & evaluate(high, count - 1, in)) | (~x & evaluate(low, count - 1, in));
}

}  // namespace
