// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Chance for the drivers: the same for the same seed on every machine.

#pragma once

#include <cstdint>

// xorshift64*.
class Random {
   public:
    explicit Random(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 0x1234567u) {
        if (state_ == 0) state_ = 1;
    }
    bool chance(double probability) {
        return static_cast<double>(next() >> 11) * 0x1p-53 < probability;
    }
    uint64_t below(uint64_t end) { return (next() >> 11) % end; }

   private:
    uint64_t next() {
        state_ ^= state_ >> 12;
        state_ ^= state_ << 25;
        state_ ^= state_ >> 27;
        return state_ * 0x2545f4914f6cdd1du;
    }
    uint64_t state_;
};
