// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Random bits for masks: the stream cipher Trivium (De Canniere, Preneel: "Trivium specifications",
// eSTREAM; ISO/IEC 29192-3), Width bits a clock, from an 80-bit seed.
//
//   0                   seed_valid_i is high; a running generator begins anew with the new seed,
//                       or with GoesOn = 1 adds it to its state and goes on, in the warm-up too
//   1152 / Width + 2    rand_valid_o is high from here on, until the next seed
//   with rand_ready_i   in the clock after, the next Width bits are on rand_o
//
// rand_o comes directly from registers. A seed whose bits are all equal is refused, since it is what
// a source of seeds gives that is not connected: rand_valid_o goes low and stays so, and with
// GoesOn = 1 a running generator goes on as it is. After a reset the generator waits for a seed.
//
// Bits are those of the specification, in its order: bit 8k + j of seed_key_i and seed_iv_i is bit j
// of byte k of eSTREAM's test vectors, and bit 0 of rand_o comes first. The register's bit s_i is
// state_q[i]. Generators with the same key differ by seed_iv_i, which may be a constant.

module hf_trivium #(
    parameter int unsigned Width = 64,  // bits a clock: 1 to 64, a divisor of 1152
    // A new seed is added to the running state, which it makes no easier to guess.
    parameter bit GoesOn = 1'b0
) (
    input logic clk_i,
    input logic rst_i,

    input  logic        seed_valid_i,
    input  logic [79:0] seed_key_i,
    input  logic [79:0] seed_iv_i,

    output logic             rand_valid_o,
    input  logic             rand_ready_i,
    output logic [Width-1:0] rand_o
);

  localparam int unsigned WarmUp = 1152 / ((Width == 0) ? 1 : Width);  // clocks
  localparam int unsigned CountWidth = $clog2(WarmUp + 2);

  typedef logic [288:1] state_t;

  // The state that a key and an IV begin with.
  function automatic state_t first_state(input logic [79:0] key, input logic [79:0] iv);
    state_t first;
    first = '0;
    for (int unsigned i = 0; i < 80; i++) begin
      first[1+i]  = key[79-i];
      first[94+i] = iv[79-i];
    end
    first[288:286] = '1;
    return first;
  endfunction

  state_t state_q, next;
  logic [Width-1:0] bits;  // made in this clock
  logic [CountWidth-1:0] left_q;  // clocks until the first bits are on rand_o
  logic running_q;  // it has been seeded
  logic move;
  logic seed_legal;
  assign seed_legal = seed_key_i != '0 && seed_key_i != '1;

  // Every bit that is read in the first 64 steps is one of state_q: s_k at step i is s_(k-i) of it.
  logic [Width-1:0] to_a, to_b, to_c;  // the bits that enter at s_1, s_94 and s_178, in time
  always_comb begin
    for (int unsigned i = 0; i < Width; i++) begin
      logic t1, t2, t3;
      t1 = state_q[66-i] ^ state_q[93-i];
      t2 = state_q[162-i] ^ state_q[177-i];
      t3 = state_q[243-i] ^ state_q[288-i];
      bits[i] = t1 ^ t2 ^ t3;
      to_b[i] = t1 ^ (state_q[91-i] & state_q[92-i]) ^ state_q[171-i];
      to_c[i] = t2 ^ (state_q[175-i] & state_q[176-i]) ^ state_q[264-i];
      to_a[i] = t3 ^ (state_q[286-i] & state_q[287-i]) ^ state_q[69-i];
    end
    next = state_q << Width;
    for (int unsigned i = 0; i < Width; i++) begin
      next[Width-i]     = to_a[i];
      next[93+Width-i]  = to_b[i];
      next[177+Width-i] = to_c[i];
    end
  end

  assign move = running_q && (left_q != '0 || rand_ready_i);
  assign rand_valid_o = running_q && left_q == '0;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      running_q <= 1'b0;
      left_q    <= '0;
    end else if (seed_valid_i && !(GoesOn && running_q)) begin
      running_q <= seed_legal;
      left_q    <= CountWidth'(WarmUp + 1);
      state_q   <= first_state(seed_key_i, seed_iv_i);
    end else begin
      if (move && left_q != '0) left_q <= left_q - CountWidth'(1);
      if (GoesOn && seed_valid_i && seed_legal) begin
        state_q <= (move ? next : state_q) ^ first_state(seed_key_i, seed_iv_i);
      end else if (move) state_q <= next;
    end
    if (move) rand_o <= bits;
  end

`ifndef HF_NO_PARAMETER_CHECKS
  if (Width == 0 || Width > 64 || 1152 % Width != 0) begin : gen_bad_width
    $fatal(1, "hf_trivium: Width is 1 to 64 and divides 1152, %0d does not", Width);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
