// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Groestl (final round): types, constants, and the functions of a round at the grain of a byte and
// of a column. Byte i of a state is in row i % 8 of column i / 8 (section 3.4.1 of the
// specification). So a state as it is in memory is an array of columns without conversion.

package hf_groestl_pkg;

  parameter int unsigned Rows = 8;

  typedef logic [7:0] byte_t;
  typedef byte_t [Rows-1:0] column_t;  // [row]
  typedef byte_t [255:0] table_t;
  typedef logic [3:0] round_t;  // 0 .. 13
  typedef logic [1:0] size_t;  // 224, 256, 384, 512

  ////////////////////
  // S-box          //
  ////////////////////

  function automatic byte_t double(input byte_t a);
    return {a[6:0], 1'b0} ^ (a[7] ? 8'h1B : 8'h00);
  endfunction

  function automatic byte_t rotated(input byte_t a, input int unsigned n);
    return byte_t'({a, a} >> (8 - n));
  endfunction

  // The S-box of AES: the affine map of the inverse. 3 generates the field.
  function automatic table_t s_box_table();
    table_t powers;
    table_t s_box;
    byte_t inverse;
    powers[0] = 8'h01;
    powers[255] = 8'h01;
    for (int unsigned i = 1; i < 255; i++) powers[i] = powers[i-1] ^ double(powers[i-1]);
    s_box[0] = 8'h63;
    for (int unsigned i = 0; i < 255; i++) begin
      inverse = powers[255-i];
      s_box[powers[i]] = inverse ^ rotated(inverse, 1) ^ rotated(inverse, 2) ^
          rotated(inverse, 3) ^ rotated(inverse, 4) ^ 8'h63;
    end
    return s_box;
  endfunction

  parameter table_t SBox = s_box_table();

  // The same in GF((2^4)^2), after Itoh and Tsujii: 1/x = x^16 / n with the norm n = x^17 in
  // GF(2^4). x is a pair (a, b) over GF(2^4). Both multiplications by 1/n, and the one inside the
  // norm, consist of three products in GF(2^2) each (Karatsuba), of the values of a, b and 1/n at
  // the same three points. The inner bases cost nothing, because the tables include them. The pair
  // and the points were chosen by a search among all 34,000 such that nearly every bit is one LUT4:
  // 46 LUT4, and a fifth input in one. Each step can be a register stage.
  // tests/formal/test_formal.py proves that it is the S-box.

  typedef logic [11:0] values_t;  // of a and b at each point: {b2, a2, b1, a1, b0, a0}, 2 bits each
  typedef logic [5:0] parts_t;  // two bits of each point's product
  typedef logic [3:0] norm_t;
  typedef logic [5:0] inverse_t;  // 1/n at each point
  typedef logic [11:0] products_t;  // of 1/n and the values, in their order

  parameter byte_t [11:0] ValueOf = {  // bits of the byte whose sum is a bit of a value
    8'h4D, 8'h80, 8'hD2, 8'h0E, 8'h5A, 8'h30, 8'hAC, 8'h02, 8'hDA, 8'h27, 8'hD0, 8'hA2
  };
  parameter logic [5:0][15:0] PartOf = {  // by the four bits of values of a point
    16'hC6A0, 16'hA9FC, 16'hFA36, 16'hF65C, 16'h3FA6, 16'h5306
  };
  parameter logic [5:0][15:0] InverseOf = {  // by the norm
    16'h839E, 16'hD4A6, 16'h392E, 16'hA47C, 16'h1ECC, 16'hED88
  };
  parameter logic [11:0][15:0] ProductOf = {  // by two bits of a value, two of the inverse
    16'hA6C0, 16'h6CA0, 16'hAC60, 16'h6AC0, 16'hA6C0, 16'h6CA0,
    16'hCA60, 16'hA6C0, 16'hAC60, 16'h6AC0, 16'hC6A0, 16'hAC60
  };
  // Products whose sum is a bit of the result, including the affine map.
  parameter products_t [7:0] ByteOf = {
    12'h8A1, 12'h112, 12'h642, 12'h24A, 12'h528, 12'h844, 12'h0C4, 12'h60A
  };

  function automatic values_t s_values(input byte_t x);
    values_t values;
    for (int unsigned i = 0; i < 12; i++) values[i] = ^(x & ValueOf[i]);
    return values;
  endfunction

  function automatic parts_t s_parts(input values_t values);
    parts_t parts;
    for (int unsigned i = 0; i < 6; i++) parts[i] = PartOf[i][values[4*(i/2)+:4]];
    return parts;
  endfunction

  // Two bits of the norm have a part that is linear in x itself.
  function automatic norm_t s_norm(input parts_t parts, input logic bit_0, input logic bit_6);
    return {parts[1] ^ parts[5], parts[1] ^ parts[3] ^ bit_0, parts[0] ^ parts[4] ^ bit_6,
            parts[0] ^ parts[2]};
  endfunction

  function automatic inverse_t s_inverse(input norm_t norm);
    inverse_t inverse;
    for (int unsigned i = 0; i < 6; i++) inverse[i] = InverseOf[i][norm];
    return inverse;
  endfunction

  function automatic products_t s_products(input values_t values, input inverse_t inverse);
    products_t products;
    for (int unsigned i = 0; i < 12; i++) begin
      products[i] = ProductOf[i][{values[2*(i/2)+:2], inverse[2*(i/4)+:2]}];
    end
    return products;
  endfunction

  function automatic byte_t s_byte(input products_t products);
    byte_t y;
    for (int unsigned i = 0; i < 8; i++) y[i] = ^(products & ByteOf[i]);
    return y ^ 8'h63;
  endfunction

  function automatic byte_t s_box_composite(input byte_t x);
    values_t values;
    values = s_values(x);
    return s_byte(s_products(values, s_inverse(s_norm(s_parts(values), x[0], x[6]))));
  endfunction

  ////////////////////
  // ShiftBytes     //
  ////////////////////

  // Distance by which P or Q rotates a row to the left, by the number of columns (section 3.4.4).
  function automatic int unsigned shift(input bit is_q, input int unsigned columns,
                                        input int unsigned row);
    int unsigned widest;
    widest = (columns == 8) ? 7 : 11;
    if (!is_q) return (row == 7) ? widest : row;
    if (row == 3) return widest;
    return (row < 3) ? 2 * row + 1 : 2 * (row - 4);
  endfunction

  ////////////////////
  // MixBytes       //
  ////////////////////

  // MixBytes' row 2 2 3 4 5 3 5 7 (section 3.4.5), taken apart: b[i] = y[i] + 2 y[i+3] + 4 c[i],
  // where c[i] = a[i+3] + a[i+4] + a[i+6] + a[i+7] and y[i] = c[i] + a[i+2] + a[i+3] + a[i+5]. Each
  // sum has four terms, a LUT4 a bit.
  function automatic column_t mix_c(input column_t a);
    column_t c;
    for (int unsigned i = 0; i < Rows; i++) begin
      c[i] = a[(i+3)%Rows] ^ a[(i+4)%Rows] ^ a[(i+6)%Rows] ^ a[(i+7)%Rows];
    end
    return c;
  endfunction

  function automatic column_t mix_y(input column_t a, input column_t c);
    column_t y;
    for (int unsigned i = 0; i < Rows; i++) begin
      y[i] = c[i] ^ a[(i+2)%Rows] ^ a[(i+3)%Rows] ^ a[(i+5)%Rows];
    end
    return y;
  endfunction

  function automatic column_t mix_sum(input column_t y, input column_t c);
    column_t b;
    for (int unsigned i = 0; i < Rows; i++) begin
      b[i] = y[i] ^ double(y[(i+3)%Rows] ^ double(c[i]));
    end
    return b;
  endfunction

  function automatic column_t mix(input column_t a);
    return mix_sum(mix_y(a, mix_c(a)), mix_c(a));
  endfunction

endpackage
