// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// BLAKE (final round): constants, and the selection of them in each half of a round. Words have 32
// bits (digests of 224 and 256) or 64 (384 and 512). Functions here have a parameter for the width,
// `bits`, and return the low bits of 64. Sections are those of the specification.
//
// Four G work in parallel, lane j of them on words a[j], b[j], c[j], d[j] of the state in rows of
// four. Every half is followed by the same permutation, whether it worked on columns or on
// diagonals: lanes are mirrored, and rows rotated by 0, 1, 2, 3 (`from_lane`). The permutation is
// its own inverse and changes columns into diagonals, where lane j is diagonal -j. So no
// multiplexer is needed between the two.

package hf_blake_pkg;

  parameter int unsigned NumLanes = 4;
  parameter int unsigned BlockWords = 16;

  typedef logic [63:0] long_t;
  typedef logic [3:0] index_t;  // number of a message word or constant
  typedef logic [4:0] half_t;  // number of the half of a round, 0 .. 31

  // The message words and constants of each round (table 2); the first is the highest digit.
  parameter logic [9:0][63:0] Sigma = {
    64'hA2847615FB9E3CD0,
    64'h6FE9B308C2D714A5,
    64'hDB7EC13950F4862A,
    64'hC51FED4A0763928B,
    64'h2C6A0B834D75FE19,
    64'h905724AFE1BC683D,
    64'h7931DCBE265A40F8,
    64'hB8C052FDAE367194,
    64'hEA489FD61C02B753,
    64'h0123456789ABCDEF
  };

  // The fractional part of pi (sections 2.1.1 and 2.2.1).
  parameter logic [1023:0] Pi = {
    256'h243F6A88_85A308D3_13198A2E_03707344_A4093822_299F31D0_082EFA98_EC4E6C89,
    256'h452821E6_38D01377_BE5466CF_34E90C6C_C0AC29B7_C97C50DD_3F84D5B5_B5470917,
    256'h9216D5D9_8979FB1B_D1310BA6_98DFB5AC_2FFD72DB_D01ADFB7_B8E1AFED_6A267E96,
    256'hBA7C9045_F12C7F99_24A19947_B3916CF7_0801F2E2_858EFC16_636920D8_71574E69
  };

  // Initial values, as in SHA-2: fractional parts of the square roots of the first eight primes,
  // and of the second eight. 256 takes the highest half of each of the first, 224 the lowest of the
  // second.
  parameter logic [1:0][511:0] Roots = {
    {
      256'h6A09E667F3BCC908_BB67AE8584CAA73B_3C6EF372FE94F82B_A54FF53A5F1D36F1,
      256'h510E527FADE682D1_9B05688C2B3E6C1F_1F83D9ABFB41BD6B_5BE0CD19137E2179
    },
    {
      256'hCBBB9D5DC1059ED8_629A292A367CD507_9159015A3070DD17_152FECD8F70E5939,
      256'h67332667FFC00B31_8EB44A8768581511_DB0C2E0D64F98FA7_47B5481DBEFA4FA4
    }
  };

  function automatic long_t constant(input int unsigned bits, input index_t index);
    return (bits == 32) ? long_t'(Pi[1023-32*32'(index)-:32]) : Pi[1023-64*32'(index)-:64];
  endfunction

  // `whole`: for 256 or 512, not 224 or 384.
  function automatic long_t initial_word(input int unsigned bits, input bit whole,
                                         input int unsigned index);
    long_t root;
    root = Roots[whole][511-64*index-:64];
    if (bits == 32) return whole ? root >> 32 : root & 64'hFFFF_FFFF;
    return root;
  endfunction

  // The `second` word of the two that lane `lane` takes in a half of a round. Its constant is that
  // of the other word.
  function automatic index_t word_index(input half_t half, input int unsigned lane,
                                        input bit second);
    int unsigned round;
    int unsigned place;
    round = (32'(half) / 2) % 10;
    place = half[0] ? 8 + 2 * ((NumLanes - lane) % NumLanes) : 2 * lane;
    return Sigma[round][63-4*(place+32'(second))-:4];
  endfunction

  // The lane from which lane `lane` takes the word of row `row` (a, b, c, d).
  function automatic int unsigned from_lane(input int unsigned row, input int unsigned lane);
    return (NumLanes + row - lane) % NumLanes;
  endfunction

endpackage
