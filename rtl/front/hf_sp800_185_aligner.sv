// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Joins pieces of 0 to DataWidth / 8 bytes, for hf_sp800_185: all beats but the last of a message
// are full. A raw piece is a beat for the core as it is: no byte of it moves.
//
// A piece takes a clock; the last of a framed message two, and three where its bytes and those held
// before fill more than a beat. Two clocks lead from a piece to its beat.

module hf_sp800_185_aligner
  import hf_stream_pkg::UserWidth;
#(
    parameter  int unsigned DataWidth  = 64,
    parameter  int unsigned TidWidth   = 1,
    localparam int unsigned KeepWidth  = DataWidth / 8,
    localparam int unsigned CountWidth = $clog2(KeepWidth + 1)
) (
    input logic clk_i,
    input logic rst_i,

    // A piece: its bytes are the lowest of its data.
    input  logic                  piece_valid_i,
    output logic                  piece_ready_o,
    input  logic [ DataWidth-1:0] piece_data_i,
    input  logic [CountWidth-1:0] piece_count_i,
    input  logic                  piece_last_i,   // ends its message
    input  logic                  piece_raw_i,
    input  logic [ KeepWidth-1:0] piece_keep_i,   // of a raw piece
    input  logic [  TidWidth-1:0] piece_tid_i,
    input  logic [ UserWidth-1:0] piece_user_i,

    output logic                 m_tvalid_o,
    input  logic                 m_tready_i,
    output logic [DataWidth-1:0] m_tdata_o,
    output logic [KeepWidth-1:0] m_tkeep_o,
    output logic                 m_tlast_o,
    output logic [ TidWidth-1:0] m_tid_o,
    output logic [UserWidth-1:0] m_tuser_o
);

  localparam int unsigned HeldWidth = (KeepWidth > 1) ? $clog2(KeepWidth) : 1;

  typedef logic [CountWidth-1:0] count_t;

  typedef struct packed {
    logic [DataWidth-1:0] data;
    count_t               count;
    logic                 last;
    logic                 raw;
    logic [KeepWidth-1:0] keep;
    logic [TidWidth-1:0]  tid;
    logic [UserWidth-1:0] user;
  } piece_t;

  function automatic logic [KeepWidth-1:0] keep_of(input count_t count);
    for (int unsigned b = 0; b < KeepWidth; b++) keep_of[b] = 32'(count) > b;
  endfunction

  // The piece that is added; the bytes before it that fill no beat; its second beat, if it is last.
  logic piece_valid_q;
  piece_t added_piece_q;
  logic [DataWidth-1:0] held_bytes_q;
  logic [HeldWidth-1:0] held_count_q;
  logic second_beat_q;

  // The piece is rotated to the place after the bytes that are held: its first bytes go to this
  // beat, and the others to the next.
  logic [DataWidth-1:0] rotated_data, joined_data;
  logic [CountWidth:0] total_count;
  logic beat_full, needs_second, slice_ready, piece_done;
  assign total_count = (CountWidth + 1)'(held_count_q) + (CountWidth + 1)'(added_piece_q.count);
  assign beat_full = 32'(total_count) >= KeepWidth;
  assign needs_second = !added_piece_q.raw && added_piece_q.last && 32'(total_count) > KeepWidth;
  assign piece_done = piece_valid_q && slice_ready && (second_beat_q || !needs_second);
  // Without the count of the piece, for a short path.
  assign piece_ready_o = !piece_valid_q ||
      (slice_ready && (added_piece_q.raw || !added_piece_q.last));
  always_comb begin
    rotated_data = added_piece_q.data;
    for (int unsigned k = 0; k < HeldWidth; k++) begin
      if (held_count_q[k]) begin
        rotated_data = (rotated_data << (8 << k)) | (rotated_data >> (DataWidth - (8 << k)));
      end
    end
    for (int unsigned b = 0; b < KeepWidth; b++) begin
      joined_data[8*b+:8] = (b < 32'(held_count_q)) ? held_bytes_q[8*b+:8] : rotated_data[8*b+:8];
    end
  end

  logic piece_accepted;
  assign piece_accepted = piece_valid_i && piece_ready_o;
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      piece_valid_q <= 1'b0;
      second_beat_q <= 1'b0;
      held_count_q  <= '0;
    end else begin
      piece_valid_q <= piece_accepted || (piece_valid_q && !piece_done);
      if (piece_valid_q && slice_ready) begin
        second_beat_q <= !second_beat_q && needs_second;
        // The low bits: less KeepWidth, if the beat is full.
        held_count_q <= (KeepWidth > 1 && !second_beat_q && !added_piece_q.raw &&
            (needs_second || !added_piece_q.last)) ? HeldWidth'(total_count) : '0;
      end
    end
    if (piece_accepted) begin
      added_piece_q <= {
        piece_data_i,
        piece_count_i,
        piece_last_i,
        piece_raw_i,
        piece_keep_i,
        piece_tid_i,
        piece_user_i
      };
    end
    if (piece_valid_q && slice_ready) held_bytes_q <= beat_full ? rotated_data : joined_data;
  end

  logic beat_last;
  logic [KeepWidth-1:0] beat_keep;
  assign beat_last = added_piece_q.last && (second_beat_q || !needs_second);
  assign beat_keep = second_beat_q ? keep_of(
      count_t'(held_count_q)
  ) : added_piece_q.raw ? added_piece_q.keep : beat_full ? '1 : keep_of(
      count_t'(total_count)
  );

  hf_axis_slice #(
      .Width(DataWidth + KeepWidth + 1 + TidWidth + UserWidth)
  ) u_slice (
      .clk_i,
      .rst_i,
      .s_valid_i(piece_valid_q && (added_piece_q.raw || beat_full || added_piece_q.last)),
      .s_ready_o(slice_ready),
      .s_data_i ({joined_data, beat_keep, beat_last, added_piece_q.tid, added_piece_q.user}),
      .m_valid_o(m_tvalid_o),
      .m_ready_i(m_tready_i),
      .m_data_o ({m_tdata_o, m_tkeep_o, m_tlast_o, m_tid_o, m_tuser_o})
  );

endmodule
