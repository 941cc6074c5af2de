// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The rules of the stream tops' ports (docs/reference/stream.md) as assertions, bound to every top
// by hf_binds.sv. hf_axis_sva checks AXI4-Stream's own rules: u_sink on m_axis, u_source on s_axis.
//
//   "bytes in the same order", "bits and bytes beyond the digest are zero"
//            StreamKeepHasNoHole, StreamZeroBeyond
//   a short beat: StreamShortBeatIsLast (one slot); tail bits: StreamTailAtTheEnd
//   an error "is one empty beat with tlast"             StreamErrorIsOneBeat
//   m_axis_tuser[4] "each marked"                       StreamOpenIsMarked
//   "beats come as long as they are taken, and m_axis_stop ends it"; "an empty one with tlast"
//            StreamOpenEndsByStop, StreamOpenEndsEmpty
//   "Results of a slot come in the order of its messages": none without a message of that tid
//            StreamResultIsOwed
//   s_axis_room "taken in it or in the next"            StreamRoomIsKept
//   one slot: room equals tready                        StreamRoomIsReady
//
// The benches check the results, how long they take, and that none is lost.

module hf_stream_sva #(
    parameter  int unsigned Slots = 1,
    parameter  int unsigned DataWidth = 64,
    parameter  int unsigned TidWidth = 1,
    parameter  int unsigned UserWidth = 48,
    parameter  int unsigned OutUserWidth = 5,
    parameter  bit          Packets = 1'b0,  // as in the top
    // A bit for each function code, where the top's functions have their own rules.
    parameter  bit [255:0]  JoinedCodes = {256{Packets}},  // packets with `more` are one message
    parameter  bit [255:0]  LoadCodes = '0,  // no result, but an error if the load is bad
    localparam int unsigned KeepWidth = DataWidth / 8,
    localparam int unsigned Tids = 1 << TidWidth
) (
    input logic clk_i,
    input logic rst_i,

    input logic                 s_axis_tvalid,
    input logic                 s_axis_tready,
    input logic [DataWidth-1:0] s_axis_tdata,
    input logic [KeepWidth-1:0] s_axis_tkeep,
    input logic                 s_axis_tlast,
    input logic [ TidWidth-1:0] s_axis_tid,
    input logic [UserWidth-1:0] s_axis_tuser,
    input logic [    Slots-1:0] s_axis_room,

    input logic                    m_axis_tvalid,
    input logic                    m_axis_tready,
    input logic [   DataWidth-1:0] m_axis_tdata,
    input logic [   KeepWidth-1:0] m_axis_tkeep,
    input logic                    m_axis_tlast,
    input logic [    TidWidth-1:0] m_axis_tid,
    input logic [OutUserWidth-1:0] m_axis_tuser,
    input logic [       Slots-1:0] m_axis_stop  // 0 without such a port
);

  logic off;
  hf_reset_sva u_reset (
      .clk_i,
      .rst_i,
      .off_o(off)
  );

  hf_axis_sva #(
      .Width(DataWidth + KeepWidth + 1 + TidWidth + OutUserWidth)
  ) u_sink (
      .clk_i,
      .rst_i,
      .valid_i(m_axis_tvalid),
      .ready_i(m_axis_tready),
      .payload_i({m_axis_tdata, m_axis_tkeep, m_axis_tlast, m_axis_tid, m_axis_tuser})
  );

  hf_axis_sva #(
      .Width(DataWidth + KeepWidth + 1 + TidWidth + UserWidth),
      .LooksAtReset(1'b0)  // a bench may offer a beat in the clock after the reset
  ) u_source (
      .clk_i,
      .rst_i,
      .valid_i(s_axis_tvalid),
      .ready_i(s_axis_tready),
      .payload_i({s_axis_tdata, s_axis_tkeep, s_axis_tlast, s_axis_tid, s_axis_tuser})
  );

  ////////////////////
  // A beat         //
  ////////////////////

  logic error, open, empty;
  logic [2:0] tail;
  assign error = m_axis_tuser[0];
  assign tail = m_axis_tuser[3:1];
  assign empty = m_axis_tkeep == '0;
  if (OutUserWidth > 4) begin : gen_open
    assign open = m_axis_tuser[OutUserWidth-1];
  end else begin : gen_no_open
    assign open = 1'b0;
  end

  // The bits that must be zero: bytes that are not kept, and bits above the tail of the last byte.
  logic [DataWidth-1:0] beyond;
  always_comb begin
    for (int unsigned b = 0; b < KeepWidth; b++) begin
      beyond[8*b+:8] = m_axis_tkeep[b] ? 8'h00 : 8'hff;
      if (m_axis_tlast && tail != '0 && m_axis_tkeep[b] &&
          (b == KeepWidth - 1 || !m_axis_tkeep[b+1])) begin
        beyond[8*b+:8] = 8'hff << tail;
      end
    end
  end

  StreamKeepHasNoHole: assert property (@(posedge clk_i) disable iff (off)
      !m_axis_tvalid || (m_axis_tkeep & (m_axis_tkeep + 1'b1)) == '0);

  StreamZeroBeyond: assert property (@(posedge clk_i) disable iff (off)
      !m_axis_tvalid || (m_axis_tdata & beyond) == '0);

  StreamTailAtTheEnd: assert property (@(posedge clk_i) disable iff (off)
      !(m_axis_tvalid && tail != '0) || (m_axis_tlast && !empty));

  // With several slots a squeezed block may end with a short beat.
  if (Slots == 1) begin : gen_one_slot
    StreamShortBeatIsLast: assert property (@(posedge clk_i) disable iff (off)
        !m_axis_tvalid || m_axis_tkeep == '1 || m_axis_tlast);
    StreamRoomIsReady: assert property (@(posedge clk_i) disable iff (off)
        s_axis_room[0] == s_axis_tready);
  end

  ////////////////////
  // A result       //
  ////////////////////

  // Per tid. With one slot, a message keeps the tid of its first beat, whatever tids come before
  // its tlast. With several slots, beats of another tid belong to another message.
  logic [Tids-1:0] within_q;  // a message's first beat was accepted, its last was not
  logic [Tids-1:0][7:0] code_q;  // of that message
  logic [Tids-1:0][31:0] owed_q;  // messages begun without a complete result
  // Loads that may still have an error. It is not known which of them have been good, so after a
  // good one an error too many is not found.
  logic [Tids-1:0][31:0] loads_q;
  logic [Tids-1:0] given_q;  // a beat of a result was taken, its last was not
  logic [Tids-1:0] open_q;  // that result is marked open
  logic [Tids-1:0] stopped_q;  // and a stop was requested
  logic begins, ends, some;
  logic s_last;  // the beat ends its message
  logic is_load, load_fails;
  logic [TidWidth-1:0] within_tid;
  logic [7:0] code;
  assign within_tid = (Slots == 1) ? '0 : s_axis_tid;
  assign code = within_q[within_tid] ? code_q[within_tid] : s_axis_tuser[7:0];
  assign s_last = s_axis_tlast && !(JoinedCodes[code] && s_axis_tuser[hf_stream_pkg::MoreAt]);
  assign begins = s_axis_tvalid && s_axis_tready && !within_q[within_tid];
  assign is_load = LoadCodes[code];
  assign ends = m_axis_tvalid && m_axis_tready && m_axis_tlast;
  assign load_fails = error && loads_q[m_axis_tid] != '0;
  assign some = given_q[m_axis_tid];

  always_ff @(posedge clk_i) begin
    if (s_axis_tvalid && s_axis_tready) begin
      within_q[within_tid] <= !s_last;
      if (begins) code_q[within_tid] <= code;
    end
    for (int unsigned i = 0; i < Tids; i++) begin
      owed_q[i] <= owed_q[i] + 32'(begins && !is_load && 32'(s_axis_tid) == i) -
          32'(ends && !load_fails && 32'(m_axis_tid) == i);
      loads_q[i] <= loads_q[i] + 32'(begins && is_load && 32'(s_axis_tid) == i) -
          32'(ends && load_fails && 32'(m_axis_tid) == i);
    end
    for (int unsigned i = 0; i < Slots; i++) begin
      if (open_q[i] && m_axis_stop[i]) stopped_q[i] <= 1'b1;
    end
    if (m_axis_tvalid && m_axis_tready) begin
      given_q[m_axis_tid] <= !m_axis_tlast;
      open_q[m_axis_tid]  <= open && !m_axis_tlast;
      if (m_axis_tlast) stopped_q[m_axis_tid] <= 1'b0;
    end
    if (rst_i) begin
      within_q  <= '0;
      owed_q    <= '0;
      loads_q   <= '0;
      given_q   <= '0;
      open_q    <= '0;
      stopped_q <= '0;
    end
  end

  StreamResultIsOwed: assert property (@(posedge clk_i) disable iff (off)
      !m_axis_tvalid || owed_q[m_axis_tid] != '0 || load_fails);

  StreamErrorIsOneBeat: assert property (@(posedge clk_i) disable iff (off)
      !(m_axis_tvalid && error) || (m_axis_tlast && empty && !open && !some));

  StreamOpenIsMarked: assert property (@(posedge clk_i) disable iff (off)
      !(m_axis_tvalid && some) || open == open_q[m_axis_tid]);

  StreamOpenEndsEmpty: assert property (@(posedge clk_i) disable iff (off)
      !(m_axis_tvalid && open && m_axis_tlast) || empty);

  StreamOpenEndsByStop: assert property (@(posedge clk_i) disable iff (off)
      !(m_axis_tvalid && open && m_axis_tlast) || (some && stopped_q[m_axis_tid]));

  ////////////////////
  // Room           //
  ////////////////////

  if (Slots > 1) begin : gen_room
    // The promise is for a sender that since the reset has only offered beats of slots with room.
    // It begins with the first tready, because a reset may take longer inside.
    logic ready_q;  // tready has been high
    logic looks_q;  // only beats with room were offered
    logic fresh, has_room;
    logic owes_q;  // the beat on the port must have been accepted by now
    logic stands_q;
    assign fresh = s_axis_tvalid && !stands_q;
    assign has_room = 32'(s_axis_tid) >= Slots || s_axis_room[s_axis_tid];
    always_ff @(posedge clk_i) begin
      ready_q  <= !rst_i && (ready_q || s_axis_tready);
      looks_q  <= rst_i || (looks_q && !(fresh && !has_room));
      stands_q <= !rst_i && s_axis_tvalid && !s_axis_tready;
      owes_q   <= !rst_i && fresh && has_room && looks_q && !s_axis_tready &&
          (ready_q || s_axis_tready);
    end
    StreamRoomIsKept: assert property (@(posedge clk_i) disable iff (off)
        !owes_q || s_axis_tready);
  end

endmodule
