// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// One message from the host, its digest back.

#include "firmware/keccak/keccak.h"
#include "firmware/system.h"

HF_SHARED struct {
    uint32_t rate;  // bytes
    uint32_t suffix;
    uint32_t message_bytes;
    uint32_t output_bytes;
} hf_request;
HF_SHARED uint8_t hf_message[1024];
HF_SHARED uint8_t hf_output[512];

int main(void) {
    hf_mail(HF_BEGIN);
    keccak_hash(hf_request.rate, (uint8_t)hf_request.suffix, hf_message, hf_request.message_bytes,
                hf_output, hf_request.output_bytes);
    hf_mail(HF_END);
    return 0;
}
