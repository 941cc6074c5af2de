// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// See report.h. Replaces Verilator's vl_finish, vl_stop and vl_fatal (VL_USER_*), which would end
// the process that the model is loaded into.

#include "report.h"

#include <cstdarg>
#include <cstdio>
#include <stdexcept>

namespace {

constexpr size_t kKept = 4096;  // of what was printed, the latest

std::string printed;

[[noreturn]] void stop(const char* what, const char* file, int line) {
    const std::string text = hf_printed();
    const std::string place = std::string(file) + ":" + std::to_string(line);
    throw std::runtime_error(text.empty() ? std::string(what) + " at " + place : text);
}

}  // namespace

extern "C" int hf_print(const char* format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    const int length = std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    printed += text;
    if (printed.size() > kKept) printed.erase(0, printed.size() - kKept);
    return length;
}

std::string hf_printed() {
    std::string text;
    text.swap(printed);
    for (char& c : text) {
        if (c == '\n' || c == '\r') c = ' ';
    }
    while (!text.empty() && text.back() == ' ') text.pop_back();
    return text;
}

void vl_finish(const char* file, int line, const char*) { stop("$finish", file, line); }

void vl_stop(const char* file, int line, const char*) { stop("$stop", file, line); }

void vl_fatal(const char* file, int line, const char*, const char* message) {
    stop(message, file, line);
}
