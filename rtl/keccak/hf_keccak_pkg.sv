// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Keccak-f[1600]: types, constants, the five step mappings, and the functions built on them.
//
// State layout (FIPS 202, section 3.1.2). A state is 1600 bits; bit 64*(5*y + x) + z is A[x, y, z],
// which is bit S[64*(5*y + x) + z] of the string. So `a[y][x]` is lane (x, y), bit z of a lane has
// weight 2^z, and byte k of a block as it is in memory is bits 8k+7 .. 8k.
//
// The steps (FIPS 202, section 3.2) are given at the grains that engines need: states, planes
// (fixed y), rows (fixed y and z), lanes and bits. tests/formal proves each grain equal to the
// state's. Constants are computed from their definitions.

package hf_keccak_pkg;

  parameter int unsigned LaneWidth = 64;
  parameter int unsigned StateWidth = 25 * LaneWidth;
  parameter int unsigned NumRounds = 24;

  typedef logic [LaneWidth-1:0] lane_t;
  typedef lane_t [4:0] plane_t;  // [x]
  typedef plane_t [4:0] state_t;  // [y][x]
  typedef logic [4:0] row_t;  // [x]
  typedef logic [4:0] round_t;  // 0 .. 23

  typedef logic [24:0][31:0] rho_table_t;
  typedef lane_t [NumRounds-1:0] rc_table_t;

  ////////////////////
  // Constants      //
  ////////////////////

  // rho (section 3.2.2): walk from lane (1, 0) by (x, y) := (y, 2x + 3y); the lane met at step t
  // rotates by (t + 1)(t + 2)/2 places. Index 5*y + x.
  function automatic rho_table_t rho_table();
    rho_table_t offset;
    int unsigned x;
    int unsigned y;
    int unsigned y_next;
    offset[0] = 0;
    x = 1;
    y = 0;
    for (int unsigned t = 0; t < 24; t++) begin
      offset[5*y+x] = ((t + 1) * (t + 2) / 2) % LaneWidth;
      y_next = (2 * x + 3 * y) % 5;
      x = y;
      y = y_next;
    end
    return offset;
  endfunction

  parameter rho_table_t RhoOffset = rho_table();

  // iota (section 3.2.5, algorithms 5 and 6): bit 2^j - 1 of RC[i] is rc(j + 7i), the output of the
  // LFSR with x^8 + x^6 + x^5 + x^4 + 1.
  function automatic rc_table_t rc_table();
    rc_table_t rc;
    logic [7:0] lfsr;
    rc   = '0;
    lfsr = 8'h01;
    for (int unsigned i = 0; i < NumRounds; i++) begin
      for (int unsigned j = 0; j < 7; j++) begin
        rc[i][(1<<j)-1] = lfsr[0];
        lfsr = {lfsr[6:0], 1'b0} ^ (lfsr[7] ? 8'h71 : 8'h00);
      end
    end
    return rc;
  endfunction

  parameter rc_table_t RoundConstant = rc_table();

  ////////////////////
  // theta          //
  ////////////////////

  // Column parity P of one column, bit grain.
  function automatic logic theta_parity_bit(input row_t column);
    return ^column;
  endfunction

  // C[x, z]: column parities, state grain (algorithm 1, step 1).
  function automatic plane_t theta_parity(input state_t a);
    return a[0] ^ a[1] ^ a[2] ^ a[3] ^ a[4];
  endfunction

  // Left rotation of a lane: bit z goes to z + n.
  function automatic lane_t rotl(input lane_t a, input int unsigned n);
    return (a << n) | (a >> (LaneWidth - n));
  endfunction

  // D[x, z] = C[x-1, z] ^ C[x+1, z-1]; plane grain (algorithm 1, step 2). Linear, so it may also be
  // applied to parts of C.
  function automatic plane_t theta_effect(input plane_t c);
    plane_t d;
    for (int unsigned x = 0; x < 5; x++) begin
      d[x] = c[(x+4)%5] ^ rotl(c[(x+1)%5], 1);
    end
    return d;
  endfunction

  // theta's effect on one bit, from its own two columns (rows here run along y).
  function automatic logic theta_bit(input logic a, input row_t column_left,
                                     input row_t column_right);
    return a ^ theta_parity_bit(column_left) ^ theta_parity_bit(column_right);
  endfunction

  function automatic plane_t theta_plane(input plane_t a, input plane_t d);
    return a ^ d;
  endfunction

  function automatic state_t theta(input state_t a);
    state_t b;
    plane_t d;
    d = theta_effect(theta_parity(a));
    for (int unsigned y = 0; y < 5; y++) b[y] = theta_plane(a[y], d);
    return b;
  endfunction

  // theta with its parity in two terms, for LUT4 devices: P from planes 0 to 3 is one four-input
  // XOR, R from plane 4 one two-input XOR, and a ^ P ^ P' ^ R one four-input XOR again: two LUT
  // levels for theta where the five-input column parity needs three, and no more LUTs.
  function automatic state_t theta_split(input state_t a);
    state_t b;
    plane_t p;
    plane_t r;
    p = a[0] ^ a[1] ^ a[2] ^ a[3];
    r = theta_effect(a[4]);
    for (int unsigned y = 0; y < 5; y++) b[y] = a[y] ^ theta_effect(p) ^ r;
    return b;
  endfunction

  ////////////////////
  // rho and pi     //
  ////////////////////

  function automatic lane_t rho_lane(input lane_t a, input int unsigned x, input int unsigned y);
    return rotl(a, RhoOffset[5*y+x]);
  endfunction

  function automatic plane_t rho_plane(input plane_t a, input int unsigned y);
    plane_t b;
    for (int unsigned x = 0; x < 5; x++) b[x] = rho_lane(a[x], x, y);
    return b;
  endfunction

  function automatic state_t rho(input state_t a);
    state_t b;
    for (int unsigned y = 0; y < 5; y++) b[y] = rho_plane(a[y], y);
    return b;
  endfunction

  // A'[x, y] = A[x + 3y, x] (algorithm 3). Plane grain: plane y of the result takes one lane from
  // each plane of `a`.
  function automatic plane_t pi_plane(input state_t a, input int unsigned y);
    plane_t b;
    for (int unsigned x = 0; x < 5; x++) b[x] = a[x][(x+3*y)%5];
    return b;
  endfunction

  function automatic state_t pi(input state_t a);
    state_t b;
    for (int unsigned y = 0; y < 5; y++) b[y] = pi_plane(a, y);
    return b;
  endfunction

  ////////////////////
  // chi and iota   //
  ////////////////////

  function automatic logic chi_bit(input logic a, input logic a1, input logic a2);
    return a ^ (~a1 & a2);
  endfunction

  function automatic row_t chi_row(input row_t a);
    row_t b;
    for (int unsigned x = 0; x < 5; x++) b[x] = chi_bit(a[x], a[(x+1)%5], a[(x+2)%5]);
    return b;
  endfunction

  function automatic plane_t chi_plane(input plane_t a);
    plane_t b;
    for (int unsigned x = 0; x < 5; x++) b[x] = a[x] ^ (~a[(x+1)%5] & a[(x+2)%5]);
    return b;
  endfunction

  function automatic state_t chi(input state_t a);
    state_t b;
    for (int unsigned y = 0; y < 5; y++) b[y] = chi_plane(a[y]);
    return b;
  endfunction

  function automatic lane_t iota_lane(input lane_t a, input round_t round);
    return a ^ RoundConstant[round];
  endfunction

  function automatic state_t iota(input state_t a, input round_t round);
    state_t b;
    b = a;
    b[0][0] = iota_lane(a[0][0], round);
    return b;
  endfunction

  // Rnd(A, i) = iota(chi(pi(rho(theta(A)))), i) (section 3.3).
  function automatic state_t keccak_round(input state_t a, input round_t round);
    return iota(chi(pi(rho(theta(a)))), round);
  endfunction

  ////////////////////
  // Functions      //
  ////////////////////

  // Code of a hash function on the stream port (hf_stream_pkg::code_t).
  typedef enum logic [7:0] {
    FnSha3_224 = 8'h00,
    FnSha3_256 = 8'h01,
    FnSha3_384 = 8'h02,
    FnSha3_512 = 8'h03,
    FnShake128 = 8'h04,
    FnShake256 = 8'h05,
    FnKeccak224 = 8'h06,
    FnKeccak256 = 8'h07,
    FnKeccak384 = 8'h08,
    FnKeccak512 = 8'h09,
    FnKeccak1024_576 = 8'h0A,
    FnCshake128 = 8'h10,
    FnCshake256 = 8'h11
  } function_e;

  // The low bits of a code, which distinguish all supported codes. A front end checks the whole
  // code with `function_known` and keeps these bits for `function_info`.
  parameter int unsigned FunctionWidth = 5;

  function automatic logic function_known(input logic [7:0] code);
    return code <= FnKeccak1024_576 || code == FnCshake128 || code == FnCshake256;
  endfunction

  // The properties of a function that a front end uses (FIPS 202, section 6; SP 800-185, section
  // 3.3; the Keccak reference for the functions of the competition). `suffix` is the domain bits
  // and the first 1 of pad10*1, first bit lowest; `suffix_len` is their number. `digest_words` is
  // the output in 32-bit words, 0 for a function with a free output length.
  typedef struct packed {
    logic [4:0] rate_lanes;
    logic [4:0] digest_words;
    logic [4:0] suffix;
    logic [2:0] suffix_len;
  } function_info_t;

  parameter int unsigned MinRateLanes = 9;
  parameter int unsigned MaxRateLanes = 21;

  function automatic function_info_t function_info(input logic [FunctionWidth-1:0] low);
    function_info_t info;
    logic [7:0] code;
    info = '0;
    code = 8'(low);
    unique case (code)
      FnSha3_224, FnKeccak224:           info.rate_lanes = 5'd18;
      FnSha3_256, FnKeccak256:           info.rate_lanes = 5'd17;
      FnSha3_384, FnKeccak384:           info.rate_lanes = 5'd13;
      FnSha3_512, FnKeccak512:           info.rate_lanes = 5'd9;
      FnShake128, FnCshake128:           info.rate_lanes = 5'd21;
      FnShake256, FnCshake256:           info.rate_lanes = 5'd17;
      FnKeccak1024_576:                  info.rate_lanes = 5'd16;
      default:                           info.rate_lanes = 5'd21;
    endcase
    unique case (code)
      FnSha3_224, FnKeccak224: info.digest_words = 5'd7;
      FnSha3_256, FnKeccak256: info.digest_words = 5'd8;
      FnSha3_384, FnKeccak384: info.digest_words = 5'd12;
      FnSha3_512, FnKeccak512: info.digest_words = 5'd16;
      default:                 info.digest_words = 5'd0;
    endcase
    unique case (code)
      FnSha3_224, FnSha3_256, FnSha3_384, FnSha3_512: begin
        info.suffix = 5'b00110;  // 01, then the pad's 1
        info.suffix_len = 3'd3;
      end
      FnShake128, FnShake256: begin
        info.suffix = 5'b11111;  // 1111, then the pad's 1
        info.suffix_len = 3'd5;
      end
      FnCshake128, FnCshake256: begin
        info.suffix = 5'b00100;  // 00, then the pad's 1
        info.suffix_len = 3'd3;
      end
      default: begin
        info.suffix = 5'b00001;  // only the pad's 1
        info.suffix_len = 3'd1;
      end
    endcase
    return info;
  endfunction

  ////////////////////////////
  // hf_keccak_pipelined      //
  ////////////////////////////

  // Clocks from a block's handshake to its data, and from st_valid_o to the state.
  parameter int unsigned PipelinedDataDelay = 3;

  // Slots of `rounds` rounds, each with the set registers of five inside it (the lowest bits that
  // hf_keccak_pipelined_pkg names) and one at its end.
  function automatic int unsigned pipelined_slots(input int unsigned rounds,
                                                  input logic [4:0] registers);
    return rounds * (1 + $countones(registers));
  endfunction

endpackage
