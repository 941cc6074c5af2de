// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// What the Verilated model has to say ($display, $error, $fatal, failed assertions) is kept here
// in place of standard output, and a model that stops becomes an exception in place of an exit.
// Compiled in front of the Verilator runtime too (g++ -include), with VL_PRINTF=hf_print.

#pragma once

#include <string>

extern "C" int hf_print(const char* format, ...) __attribute__((format(printf, 1, 2)));

// Returns all that was printed since the last call, on one line.
std::string hf_printed();
