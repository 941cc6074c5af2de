// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The answer of a driver's function to Python: null, or one line on what went wrong.

#pragma once

#include <exception>
#include <string>

// Of one model: several may be loaded, and run at the same time.
static std::string fault_text;

// Runs `work`; returns null, or one line on what went wrong (valid until the next call).
template <typename Work>
static const char* fault_of(Work work) {
    try {
        work();
        return nullptr;
    } catch (const std::exception& fault) {
        fault_text = fault.what();
        return fault_text.c_str();
    }
}
