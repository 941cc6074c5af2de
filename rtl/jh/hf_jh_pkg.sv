// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// JH (final round, 42 rounds): types, constants, and the layers of a round.
//
// State layout. Element i of state_t is cell q_i of the grouped state (section 3.7 of the
// specification). Its bit 3 is the cell's highest, which the specification counts as bit 0. The
// state stays grouped: only blocks, digests and initial values are in the order of strings. Bit k
// of a string is bit 7 - k % 8 of byte k / 8, and byte n is at [8*n +: 8].

package hf_jh_pkg;

  parameter int unsigned NumRounds = 42;
  parameter int unsigned BlockWidth = 512;
  parameter int unsigned DigestWidth = 512;
  parameter int unsigned NumCells = 256;

  typedef logic [3:0] cell_t;
  typedef cell_t [NumCells-1:0] state_t;
  typedef logic [NumCells-1:0] constant_t;  // bit i selects the S-box of cell i
  typedef logic [BlockWidth-1:0] block_t;
  typedef logic [1:0] size_t;  // 224, 256, 384, 512
  typedef logic [5:0] round_t;  // 0 .. 41

  ////////////////////
  // Constants      //
  ////////////////////

  // S0 and S1 (section 3.2), value 15 first.
  parameter cell_t [1:0][15:0] SBox = {
    64'h8eab_402f_9175_d6c3, 64'he857_62a1_f3cd_b409
  };

  // Converts a string, as printed in the specification, into a constant of a round: cell 0 is its
  // first bit.
  function automatic constant_t from_print(input constant_t printed);
    constant_t value;
    for (int unsigned i = 0; i < NumCells; i++) value[i] = printed[NumCells-1-i];
    return value;
  endfunction

  // Round 0's constant (section 3.6): the fractional part of the square root of 2.
  parameter constant_t FirstConstant = from_print(
      256'h6a09e667f3bcc908b2fb1366ea957d3e3adec17512775099da2f590b0667322a
  );

  // H(0) by digest size, as printed (section 5.2): F8 of the size and a block of zeros.
  parameter logic [3:0][1023:0] InitialValue = {
    {
      256'h6fd14b963e00aa17636a2e057a15d5438a225e8d0c97ef0be9341259f2b3c361,
      256'h891da0c1536f801e2aa9056bea2b6d80588eccdb2075baa6a90f3a76baf83bf7,
      256'h0169e60541e34a6946b58a8e2e6fe65a1047a7d0c1843c243b6e71b12d5ac199,
      256'hcf57f6ec9db1f856a706887c5716b156e3c2fcdfe68517fb545a4678cc8cdd4b
    },
    {
      256'h481e3bc6d813398a6d3b5e894ade879b63faea68d480ad2e332ccb21480f8267,
      256'h98aec84d9082b928d455ea304111424936f555b2924847ecc7250a93baf43ce1,
      256'h569b7f8a27db454c9efcbd496397af0e589fc27d26aa80cd80c08b8c9deb2eda,
      256'h8a7981e8f8d5373af43967adddd17a71a9b4d3bda475d394976c3fba9842737f
    },
    {
      256'heb98a3412c20d3eb92cdbe7b9cb245c11c93519160d4c7fa260082d67e508a03,
      256'ha4239e267726b945e0fb1a48d41a9477cdb5ab26026b177a56f024420fff2fa8,
      256'h71a396897f2e4d751d144908f77de262277695f776248f9487d5b6574780296c,
      256'h5c5e272dac8e0d6c518450c657057a0f7be4d367702412ea89e3ab13d31cd769
    },
    {
      256'h2dfedd62f99a98acae7cacd619d634e7a4831005bc301216b86038c6c9661494,
      256'h66d9899f2580706fce9ea31b1d9b1adc11e8325f7b366e10f994857f02fa06c1,
      256'h1b4f1b5cd8c840b397f6a17f6e738099dcdf93a5adeaa3d3a431e8dec9539a68,
      256'h22b4a98aec86a1e4d574ac959ce56cf015960deab5ab2bbf9611dcf0dd64ea6e
    }
  };

  ////////////////////
  // Strings        //
  ////////////////////

  // Position of bit k of a string.
  function automatic int unsigned string_bit(input int unsigned k);
    return 8 * (k / 8) + 7 - (k % 8);
  endfunction

  // Grouping (section 3.7): the bit of a string that becomes bit j of cell i, where j counts as in
  // the specification.
  function automatic int unsigned from_string(input int unsigned i, input int unsigned j);
    return i / 2 + 128 * (i % 2) + NumCells * j;
  endfunction

  // A block in the bits of the string's first half; zero in the others.
  function automatic state_t first_half(input block_t data);
    state_t state;
    state = '0;
    for (int unsigned i = 0; i < NumCells; i++) begin
      for (int unsigned j = 0; j < 2; j++) state[i][3-j] = data[string_bit(from_string(i, j))];
    end
    return state;
  endfunction

  // The same for the second half.
  function automatic state_t second_half(input block_t data);
    state_t state;
    state = '0;
    for (int unsigned i = 0; i < NumCells; i++) begin
      for (int unsigned j = 2; j < 4; j++) begin
        state[i][3-j] = data[string_bit(from_string(i, j)-BlockWidth)];
      end
    end
    return state;
  endfunction

  // The second half of the string.
  function automatic logic [DigestWidth-1:0] tail(input state_t state);
    logic [DigestWidth-1:0] text;
    for (int unsigned i = 0; i < NumCells; i++) begin
      for (int unsigned j = 2; j < 4; j++) begin
        text[string_bit(from_string(i, j)-BlockWidth)] = state[i][3-j];
      end
    end
    return text;
  endfunction

  // H(0), written by bits: its 1024 bits have only 16 different patterns, so this is a few LUTs
  // with high fan-out.
  function automatic state_t initial_value(input size_t size);
    state_t state;
    for (int unsigned i = 0; i < NumCells; i++) begin
      for (int unsigned j = 0; j < 4; j++) begin
        state[i][3-j] = InitialValue[size][1023-from_string(i, j)];
      end
    end
    return state;
  endfunction

  // H(-1): the digest size in the first two bytes.
  function automatic state_t before_initial(input size_t size);
    block_t data;
    data = '0;
    data[15:0] = (size == 0) ? 16'hE000 : (size == 1) ? 16'h0001 : (size == 2) ? 16'h8001 :
        16'h0002;
    return first_half(data);
  endfunction

  // The digest: the end of the second half, moved to the front.
  function automatic logic [DigestWidth-1:0] digest(input logic [DigestWidth-1:0] text,
                                                    input size_t size);
    logic [DigestWidth-1:0] moved;
    moved = text;
    unique case (size)
      2'd0: moved[223:0] = text[288+:224];
      2'd1: moved[255:0] = text[256+:256];
      2'd2: moved[383:0] = text[128+:384];
      default: moved = text;
    endcase
    return moved;
  endfunction

  ////////////////////
  // Rounds         //
  ////////////////////

  // L of a pair of cells (section 3.3), a first: {c, d}.
  function automatic logic [7:0] mix(input cell_t a, input cell_t b);
    cell_t c;
    cell_t d;
    d = b ^ {a[2], a[1], a[0] ^ a[3], a[3]};
    c = a ^ {d[2], d[1], d[0] ^ d[3], d[3]};
    return {c, d};
  endfunction

  // The cell that P_d, of `cells` cells, moves to place i (section 3.4).
  function automatic int unsigned permuted(input int unsigned i, input int unsigned cells);
    int unsigned dealt;
    dealt = (i < cells / 2) ? 2 * i : 2 * ((i ^ 1) - cells / 2) + 1;
    return dealt ^ (dealt / 2 % 2);
  endfunction

  // An S-box in two steps, 7 LUT4 instead of 8: first the function of S0 and S1 for the highest bit
  // ...
  function automatic logic s_bit(input logic x_3, input logic x_1, input logic constant);
    return x_3 ^ (constant && !x_1);
  endfunction

  // ... and the other bits, using that bit. Bits 3 and 0 do not depend on the constant any more.
  function automatic cell_t s_rest(input logic high, input logic [2:0] x,
                                    input logic constant);
    logic a, b, c, d;
    logic change;
    a = high;
    b = x[2];
    c = x[1];
    d = !x[0];
    change = constant ^ (a & b);
    a ^= c & d;
    d ^= !b & c;
    b ^= a & c;
    c ^= a & !d;
    a ^= b | d;
    d ^= b & c;
    b ^= change & a;
    c ^= change;
    return {a, b, c, d};
  endfunction

  function automatic bit s_box_agrees();
    for (int unsigned i = 0; i < 2; i++) begin
      for (int unsigned x = 0; x < 16; x++) begin
        if (s_rest(s_bit(x[3], x[1], i == 1), x[2:0], i == 1) != SBox[i][x]) return 1'b0;
      end
    end
    return 1'b1;
  endfunction

  parameter bit SBoxAgrees = s_box_agrees();

  function automatic state_t substitute(input state_t state, input constant_t constant);
    state_t boxed;
    logic high;
    for (int unsigned i = 0; i < NumCells; i++) begin
      high = s_bit(state[i][3], state[i][1], constant[i]);
      boxed[i] = s_rest(high, state[i][2:0], constant[i]);
    end
    return boxed;
  endfunction

  // L on all pairs, then P_8.
  function automatic state_t linear(input state_t state);
    state_t mixed;
    state_t moved;
    for (int unsigned i = 0; i < NumCells; i += 2) begin
      {mixed[i], mixed[i+1]} = mix(state[i], state[i+1]);
    end
    for (int unsigned i = 0; i < NumCells; i++) moved[i] = mixed[permuted(i, NumCells)];
    return moved;
  endfunction

  // The next round's constant (section 3.6): R_6 with S0 only, on cells of four bits each. First
  // the S-boxes ...
  function automatic constant_t constant_boxes(input constant_t constant);
    constant_t boxed;
    for (int unsigned i = 0; i < NumCells; i += 4) begin
      {boxed[i], boxed[i+1], boxed[i+2], boxed[i+3]} =
          SBox[0][{constant[i], constant[i+1], constant[i+2], constant[i+3]}];
    end
    return boxed;
  endfunction

  // ... then L and P_6.
  function automatic constant_t constant_linear(input constant_t boxed);
    cell_t [63:0] mixed;
    constant_t next;
    for (int unsigned i = 0; i < NumCells; i += 8) begin
      {mixed[i/4], mixed[i/4+1]} = mix({boxed[i], boxed[i+1], boxed[i+2], boxed[i+3]},
                                       {boxed[i+4], boxed[i+5], boxed[i+6], boxed[i+7]});
    end
    for (int unsigned i = 0; i < 64; i++) begin
      for (int unsigned j = 0; j < 4; j++) next[4*i+j] = mixed[permuted(i, 64)][3-j];
    end
    return next;
  endfunction

  function automatic constant_t next_constant(input constant_t constant);
    return constant_linear(constant_boxes(constant));
  endfunction

  // The state that a round with this constant turns into zero: S0 of 1 and S1 of 10 are zero.
  function automatic state_t before_zero(input constant_t constant);
    state_t state;
    for (int unsigned i = 0; i < NumCells; i++) state[i] = constant[i] ? 4'd10 : 4'd1;
    return state;
  endfunction

  parameter state_t BeforeZero = before_zero(FirstConstant);

endpackage
