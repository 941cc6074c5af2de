// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Several cores (hf_keccak_pipelined_axis) between one AXI4-Stream input and one output, for
// full-device designs. The ports are those of hf_keccak_pipelined_axis. In addition:
//
// s_axis: tid is the number of the core times Slots plus the slot: 0 .. Engines * Slots - 1. A beat
// is DataWidth wide, which is CoreWidth or a power of two times that. Twice CoreWidth or more keeps
// a core at its full rate.
//
// s_axis_room[tid]: a beat of that slot will not wait for another slot's beat, and no other beat
// will wait for it. It is low from the handshake of a beat until the core has taken all of the beat
// and has updated the slot's room. For a sender that waits for s_axis_room, s_axis_tready is never low.
// Another sender loses no beat, but may be stalled by a full slot of any core.
//
// Errors: beats with an invalid tid are accepted and discarded at the port. While the cores have
// beats, one of TidErrorGap beats at m_axis at most is the error of such a beat, on average.
//
// m_axis: CoreWidth bits are used; the bytes above are never kept. Cores that have a beat are
// served cyclically, beat by beat, so beats of different tids are interleaved.
//
// Only single registers cross the die, Hops of them from a core to its neighbour:
//
//   s_axis --> line --> line --> line ...      a beat passes all cores; its own core takes it out
//                |        |        |
//               core     core     core ...     each after a queue (hf_keccak_array_core)
//                |        |        |
//   m_axis <-- line <-- line <-- line ...      a place that passes belongs to one core, which fills
//                                              it
//
// Neither line stops. A beat enters the first line only while every core's queue has room for all
// beats under way. Places of the second line are assigned only while there is room for them at
// m_axis, cyclically to the cores that have reported a beat. No path leads from a port to another,
// or from a core to another.
//
// Schedule in an idle array. Clock 0 is the clock of a beat's handshake: in clock 1 + e * Hops it
// is at hf_keccak_array_core of core e, and 6 clocks later at the core itself. A result is at
// m_axis Engines * Hops + 10 clocks after the core has offered it, for every core.

module hf_keccak_array
  import hf_keccak_pkg::*;
  import hf_keccak_legal_pkg::*;
  import hf_keccak_pipelined_pkg::*;
  import hf_stream_pkg::*;
#(
    parameter  int unsigned Engines = 4,
    parameter  int unsigned Rounds = 1,                // as in hf_keccak_pipelined_axis
    parameter  int unsigned Registers = RegistersDefault,
    parameter  int unsigned Gate = 0,
    parameter  bit          StatesInBlockRam = 1'b1,
    parameter  int unsigned CoreWidth = 128,           // 128, 256 or 512
    parameter  int unsigned Hops = 1,                  // registers from a core to its neighbour
    localparam int unsigned Slots = ring_slots(whole_rounds(Rounds), Registers),
    // Legal values in place of illegal parameters: the module elaborates, and the check below
    // fails.
    localparam int unsigned Cores = (Engines < 2 || Engines > 58) ? 2 : Engines,
    localparam int unsigned Steps = (Hops < 1 || Hops > 57) ? 1 : Hops,
    localparam int unsigned PartWidth =
        (CoreWidth == 256 || CoreWidth == 512) ? CoreWidth : 128,
    localparam int unsigned Tids = Cores * Slots,
    parameter  int unsigned DataWidth = 4 * PartWidth,
    parameter  int unsigned TidWidth = (Tids > 1) ? $clog2(Tids) : 1,
    // For senders that do not drive all of s_axis_tuser (docs/integrate/dma.md).
    parameter  int unsigned FixedFunction = ByUser,  // this code instead of s_axis_tuser's
    parameter  int unsigned FixedLength = 0,         // with it: output bits; all ones: open output
    parameter  bit          WholeBytes = 1'b0,       // the bit count in s_axis_tuser is ignored
    parameter  bit          Packets = 1'b0,          // `more` at tlast: the message continues
    localparam int unsigned KeepWidth = DataWidth / 8
) (
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    input  logic                 s_axis_tvalid,
    output logic                 s_axis_tready,
    input  logic [DataWidth-1:0] s_axis_tdata,
    input  logic [KeepWidth-1:0] s_axis_tkeep,
    input  logic                 s_axis_tlast,
    input  logic [ TidWidth-1:0] s_axis_tid,
    input  logic [UserWidth-1:0] s_axis_tuser,
    output logic [     Tids-1:0] s_axis_room,

    output logic                 m_axis_tvalid,
    input  logic                 m_axis_tready,
    output logic [DataWidth-1:0] m_axis_tdata,
    output logic [KeepWidth-1:0] m_axis_tkeep,
    output logic                 m_axis_tlast,
    output logic [ TidWidth-1:0] m_axis_tid,
    output logic [          4:0] m_axis_tuser,
    input  logic [     Tids-1:0] m_axis_stop
);

  localparam bit PartsLegal = DataWidth % PartWidth == 0 && $countones(DataWidth / PartWidth) == 1;
  localparam int unsigned Parts = PartsLegal ? DataWidth / PartWidth : 1;
  localparam bit TidLegal = tid_legal(TidWidth, $clog2(Tids));
  localparam int unsigned TidBits = TidLegal ? TidWidth : $clog2(Tids);
  localparam int unsigned CoreKeep = PartWidth / 8;
  // Sources of output beats: the cores, and last the errors of invalid tids.
  localparam int unsigned Sources = Cores + 1;
  localparam int unsigned SourceBits = $clog2(Sources);
  localparam int unsigned SlotBits = (Slots > 1) ? $clog2(Slots) : 1;
  localparam int unsigned Line = (Cores - 1) * Steps;  // the last place of a line

  // Rows of a core's queue: one beat for each slot, for a sender that waits for s_axis_room, and
  // some more. `Late` beats may be on their way to the count when s_axis_tready falls.
  localparam int unsigned Depth = 1 << $clog2(Slots + 8);
  localparam int unsigned DepthBits = $clog2(Depth);
  localparam int unsigned Late = 3;

  typedef logic [TidBits-1:0] tid_t;
  typedef logic [SourceBits-1:0] source_t;

  typedef struct packed {
    logic [DataWidth-1:0] data;
    logic [KeepWidth-1:0] keep;
    logic [Parts-1:0]     some;  // the parts that hold a byte
    logic                 last;
    tid_t                 tid;
    logic [Tids-1:0]      slot;  // the same, one-hot
    logic [UserWidth-1:0] user;
  } in_t;

  typedef struct packed {
    logic [PartWidth-1:0] data;
    logic [CoreKeep-1:0]  keep;
    logic                 last;
    tid_t                 tid;
    logic [4:0]           user;
  } out_t;

  // Return whether a beat goes to core e.
  function automatic logic is_for(input tid_t tid, input int unsigned e);
    return 32'(tid) >= e * Slots && 32'(tid) < (e + 1) * Slots;
  endfunction

  ////////////////////
  // Reset          //
  ////////////////////

  // All other logic stays in reset until the cores have been reset and their outputs have arrived
  // here.
  localparam int unsigned ResetLength = 2 * Steps + 3;
  logic [ResetLength-1:0] reset_q;
  logic reset, quiet;
  assign quiet = rst_i || reset;  // reset of the ports
  always_ff @(posedge clk_i) begin
    reset_q <= ResetLength'({reset_q, rst_i});
    reset   <= rst_i || |reset_q;
  end

  ////////////////////
  // In             //
  ////////////////////

  localparam bit Fixed = FixedFunction != ByUser;
  localparam logic [LengthWidth-1:0] LengthField = length_field(FixedLength);
  user_t s_user;
  logic s_last;  // the beat ends its message
  always_comb begin
    s_user = s_axis_tuser;
    if (Fixed) {s_user.length, s_user.code} = {LengthField, 8'(FixedFunction)};
    if (WholeBytes) s_user.bits = '0;
    s_last = s_axis_tlast && !(Packets && s_user.more);
  end

  in_t in_q[Line+1];
  logic [Line-1:0] in_valid_q;
  logic [Cores-1:0] in_mine_q;  // a beat is at its core
  logic [Cores-1:0] to_q;  // a beat is for this core
  logic accept, invalid_tid;
  assign accept = s_axis_tvalid && s_axis_tready;
  assign invalid_tid = 32'(s_axis_tid) >= Tids;

  always_ff @(posedge clk_i) begin
    in_q[0].data <= s_axis_tdata;
    in_q[0].keep <= s_axis_tkeep;
    for (int unsigned p = 0; p < Parts; p++) begin
      in_q[0].some[p] <= |s_axis_tkeep[CoreKeep*p+:CoreKeep];
    end
    in_q[0].last <= s_last;
    in_q[0].tid  <= s_axis_tid;
    for (int unsigned t = 0; t < Tids; t++) in_q[0].slot[t] <= s_axis_tid == tid_t'(t);
    in_q[0].user <= s_user;
    for (int unsigned i = 1; i <= Line; i++) in_q[i] <= in_q[i-1];

    for (int unsigned e = 0; e < Cores; e++) to_q[e] <= !reset && accept && is_for(s_axis_tid, e);
    in_valid_q <= reset ? '0 : Line'({in_valid_q, accept && !invalid_tid});
  end

  for (genvar e = 0; e < Cores; e++) begin : gen_mine
    if (e == 0) begin : gen_first
      assign in_mine_q[e] = to_q[0];
    end else begin : gen_next
      logic mine_q;
      always_ff @(posedge clk_i) begin
        mine_q <= !reset && in_valid_q[e*Steps-1] && is_for(in_q[e*Steps-1].tid, e);
      end
      assign in_mine_q[e] = mine_q;
    end
  end

  // What the cores report crosses the die into registers.
  logic [Cores-1:0] left, left_q;  // the core has taken a beat
  logic [Cores-1:0][Slots-1:0] room, room_q;  // s_axis_room of the cores
  logic [Cores-1:0][Slots-1:0] clear, clear_q;  // the slot's beat is taken, `room` includes it
  always_ff @(posedge clk_i) {left_q, room_q, clear_q} <= {left, room, clear};

  // Beats that are at a core or on their way there.
  logic [Cores-1:0] full_q;
  for (genvar e = 0; e < Cores; e++) begin : gen_count
    logic [DepthBits:0] count_q;
    always_ff @(posedge clk_i) begin
      count_q   <= count_q + (DepthBits + 1)'(to_q[e]) - (DepthBits + 1)'(left_q[e]);
      full_q[e] <= 32'(count_q) >= Depth - 1 - Late;
      if (reset) count_q <= '0;
    end
  end
  always_ff @(posedge clk_i) s_axis_tready <= !quiet && full_q == '0;

  for (genvar t = 0; t < Tids; t++) begin : gen_room
    logic mine, busy_q;
    assign mine = accept && s_axis_tid == tid_t'(t);
    always_ff @(posedge clk_i) begin
      busy_q <= !reset && (mine || (busy_q && !clear_q[t/Slots][t%Slots]));
      s_axis_room[t] <= !quiet && !mine && (!busy_q || clear_q[t/Slots][t%Slots]) &&
          room_q[t/Slots][t%Slots];
    end
  end

  ////////////////////
  // The cores      //
  ////////////////////

  logic tid_error_valid, tid_error_go;
  tid_t tid_error_tid;
  hf_tid_queue #(
      .Width(TidBits)
  ) u_tid_errors (
      .clk_i,
      .rst_i  (reset),
      .push_i (accept && invalid_tid && s_last),
      .tid_i  (s_axis_tid),
      .valid_o(tid_error_valid),
      .tid_o  (tid_error_tid),
      .pop_i  (tid_error_go)
  );

  // A stop request goes to its core once, for an output that has reached m_axis. A result still
  // inside the array cannot be stopped: the receiver has not seen it. It crosses the die from a
  // register.
  logic [Tids-1:0] stop, stop_q;
  hf_axis_stop #(
      .Tids    (Tids),
      .TidWidth(TidBits)
  ) u_stop (
      .clk_i,
      .rst_i (quiet),
      .stop_i(m_axis_stop),
      .take_i(m_axis_tvalid && m_axis_tready),
      .last_i(m_axis_tlast),
      .open_i(m_axis_tuser[4]),
      .tid_i (m_axis_tid),
      .stop_o(stop)
  );
  always_ff @(posedge clk_i) stop_q <= stop;

  logic [Cores-1:0] offered;  // the core has a beat
  logic [Sources-1:0] has;  // the same of each source, a clock later for a core
  always_ff @(posedge clk_i) has[Cores-1:0] <= offered;
  out_t out_q[Line+1];
  logic [Line:0] out_filled_q;

  // Places of the output line, a clock before they pass: the core of each. The first is at the last
  // core.
  logic [Line+3:0] place_valid_q;
  source_t [Line:0] place_source_q;

  for (genvar e = 0; e < Cores; e++) begin : gen_core
    localparam int unsigned At = e * Steps;  // place on the input line
    localparam int unsigned OutAt = (Cores - 1 - e) * Steps;  // place on the output line
    localparam bit Last = e == Cores - 1;

    logic [Steps-1:0] core_reset;
    for (genvar i = 0; i < Steps; i++) begin : gen_reset
      hf_copy u_reset (
          .clk_i,
          .d_i((i == 0) ? reset_q[0] : core_reset[(i == 0) ? 0 : i-1]),
          .q_o(core_reset[i])
      );
    end

    logic mine;  // the next place belongs to this core
    assign mine = !reset && place_valid_q[OutAt] && place_source_q[OutAt] == source_t'(e);

    logic m_valid;
    out_t m_beat;
    logic [SlotBits-1:0] m_tid;

    hf_keccak_array_core #(
        .Rounds          (Rounds),
        .Registers       (Registers),
        .Gate            (Gate),
        .StatesInBlockRam(StatesInBlockRam),
        .Width           (PartWidth),
        .Parts           (Parts),
        .Depth           (Depth),
        .Hops            (Steps)
    ) u_core (
        .clk_i,
        .rst_i         (core_reset[Steps-1]),
        .s_valid_i     (in_mine_q[e]),
        .s_data_i      (in_q[At].data),
        .s_keep_i      (in_q[At].keep),
        .s_some_i      (in_q[At].some),
        .s_last_i      (in_q[At].last),
        .s_tid_i       (SlotBits'(in_q[At].tid - tid_t'(e * Slots))),
        .s_slot_i      (in_q[At].slot[e*Slots+:Slots]),
        .s_user_i      (in_q[At].user),
        .beat_left_o   (left[e]),
        .slot_clear_o  (clear[e]),
        .slot_room_o   (room[e]),
        .beat_offered_o(offered[e]),
        .m_take_i      (mine),
        .m_valid_o     (m_valid),
        .m_data_o      (m_beat.data),
        .m_keep_o      (m_beat.keep),
        .m_last_o      (m_beat.last),
        .m_tid_o       (m_tid),
        .m_user_o      (m_beat.user),
        .stop_i        (stop_q[e*Slots+:Slots])
    );
    assign m_beat.tid = tid_t'(m_tid) + tid_t'(e * Slots);

    // Out.
    localparam int unsigned Copies = PartWidth / LaneWidth;
    logic mine_q;
    logic go;  // the passing place belongs to this core
    logic [Copies-1:0] fill;
    always_ff @(posedge clk_i) mine_q <= mine;
    hf_copy u_go (
        .clk_i,
        .d_i(mine_q),
        .q_o(go)
    );
    out_t passing;
    logic passing_filled;
    if (Last) begin : gen_out_first
      // Before the first place: the error of an invalid tid, in the form of every error at the
      // port.
      tid_t error_tid_q;
      always_ff @(posedge clk_i) begin
        tid_error_go <= !reset && tid_error_valid && !tid_error_go && place_valid_q[OutAt] &&
            place_source_q[OutAt] == source_t'(Cores);
        passing_filled <= !reset && tid_error_go;
        error_tid_q <= tid_error_tid;
      end
      always_comb begin
        passing = '0;
        passing.last = 1'b1;
        passing.tid = error_tid_q;
        passing.user = 5'b00001;
      end
    end else begin : gen_out_next
      assign passing = out_q[OutAt-1];
      assign passing_filled = out_filled_q[OutAt-1];
    end
    for (genvar i = 0; i < Copies; i++) begin : gen_fill
      hf_copy u_fill (
          .clk_i,
          .d_i(mine_q),
          .q_o(fill[i])
      );
      always_ff @(posedge clk_i) begin
        out_q[OutAt].data[LaneWidth*i+:LaneWidth] <= fill[i] ?
            m_beat.data[LaneWidth*i+:LaneWidth] : passing.data[LaneWidth*i+:LaneWidth];
        out_q[OutAt].keep[LaneWidth/8*i+:LaneWidth/8] <= fill[i] ?
            m_beat.keep[LaneWidth/8*i+:LaneWidth/8] : passing.keep[LaneWidth/8*i+:LaneWidth/8];
      end
    end
    always_ff @(posedge clk_i) begin
      out_q[OutAt].last <= go ? m_beat.last : passing.last;
      out_q[OutAt].tid  <= go ? m_beat.tid : passing.tid;
      out_q[OutAt].user <= go ? m_beat.user : passing.user;
      out_filled_q[OutAt] <= !reset && (go ? m_valid : passing_filled);
    end
    for (genvar i = 1; i < Steps && !Last; i++) begin : gen_hop
      always_ff @(posedge clk_i) begin
        out_q[OutAt-i] <= out_q[OutAt-i-1];
        out_filled_q[OutAt-i] <= !reset && out_filled_q[OutAt-i-1];
      end
    end
  end

  ////////////////////
  // Out            //
  ////////////////////

  // Places are assigned cyclically to the cores; an error that is due comes between two of them and
  // takes no core's turn. `has` is some clocks old, so a place may stay empty.
  source_t source_q, core_q;  // of the last place, and the last core that had one
  source_t [Cores-1:0] after_q;  // the core that follows this one in turn
  logic any_q, space_q, give, give_q, error_due_q, error_next, tid_error_given;
  assign give = any_q && space_q;
  assign tid_error_given = give_q && source_q == source_t'(Cores);
  assign error_next = error_due_q && !tid_error_given;

  always_ff @(posedge clk_i) begin
    any_q <= |has;
    error_due_q <= has[Cores];
    for (int unsigned e = 0; e < Cores; e++) begin
      after_q[e] <= source_t'(e);
      for (int unsigned i = 1; i < Cores; i++) begin
        if (has[(e+Cores-i)%Cores]) after_q[e] <= source_t'((e + Cores - i) % Cores);
      end
    end
    give_q <= give && !reset;
    if (give) source_q <= error_next ? source_t'(Cores) : after_q[core_q];
    if (give && !error_next) core_q <= after_q[core_q];
    place_source_q <= {place_source_q[Line-1:0], source_q};
    place_valid_q <= {place_valid_q[Line+2:0], give_q};
    if (reset) begin
      source_q <= '0;
      core_q <= '0;
      place_valid_q <= '0;
    end
  end

  // The queue in front of the port. When it is half full, the places that have been assigned still
  // fit.
  localparam int unsigned QueueBits = (Line > 57) ? 7 : 1 + $clog2(Line + 7);
  out_t port_beat;
  logic queue_half, queue_some;

  hf_axis_queue #(
      .Width($bits(out_t)),
      .Bits (QueueBits)
  ) u_queue (
      .clk_i,
      .rst_i  (quiet),
      .write_i(out_filled_q[Line]),
      .data_i (out_q[Line]),
      .half_o (queue_half),
      .some_o (queue_some),
      .valid_o(m_axis_tvalid),
      .ready_i(m_axis_tready),
      .data_o (port_beat)
  );
  always_ff @(posedge clk_i) space_q <= !queue_half;
  assign m_axis_tdata = DataWidth'(port_beat.data);
  assign m_axis_tkeep = KeepWidth'(port_beat.keep);
  assign m_axis_tlast = port_beat.last;
  assign m_axis_tid   = port_beat.tid;
  assign m_axis_tuser = port_beat.user;

  // The errors of invalid tids get a place when no core has a beat, or after TidErrorGap beats, the
  // last error among them. So digests keep their share of the port, whatever the number of pending
  // errors. Places do not count, because some of the cores' places stay empty.
  localparam int unsigned TidErrorGap = 16;
  logic [$clog2(TidErrorGap):0] since_q;  // beats since the last error; top bit: enough
  logic idle_q;
  assign has[Cores] = tid_error_valid && (since_q[$clog2(TidErrorGap)] || idle_q) &&
      !tid_error_given;
  always_ff @(posedge clk_i) begin
    idle_q <= has[Cores-1:0] == '0 && !queue_some && place_valid_q == '0 && !give_q;
    if (reset || tid_error_given) since_q <= '0;
    else if (out_filled_q[Line] && !since_q[$clog2(TidErrorGap)]) since_q <= since_q + 1'b1;
  end

`ifndef HF_NO_PARAMETER_CHECKS
  if (Fixed && !fixed_legal(FixedFunction)) begin : gen_bad_function
    $fatal(1, "hf_keccak_array: no FixedFunction %0d (docs/integrate/dma.md)", FixedFunction);
  end
  if (Fixed && !length_legal(FixedFunction, FixedLength)) begin : gen_bad_length
    $fatal(1, "hf_keccak_array: FixedLength is not given (docs/integrate/dma.md)");
  end
  if (!Fixed && FixedLength != 0) begin : gen_length_of_none
    $fatal(1, "hf_keccak_array: FixedLength is without FixedFunction");
  end
  if (Cores != Engines) begin : gen_bad_engines
    $fatal(1, "hf_keccak_array: Engines is 2 to 58, not %0d", Engines);
  end
  if (PartWidth != CoreWidth) begin : gen_bad_width
    $fatal(1, "hf_keccak_array: CoreWidth is 128, 256 or 512, not %0d", CoreWidth);
  end
  if (!PartsLegal) begin : gen_bad_data
    $fatal(1, "hf_keccak_array: DataWidth is CoreWidth times a power of two, not %0d", DataWidth);
  end
  if (!TidLegal) begin : gen_bad_tid
    $fatal(1, "hf_keccak_array: TidWidth is %0d to 16, not %0d", $clog2(Tids), TidWidth);
  end
  if (Steps != Hops || Line > 57) begin : gen_bad_hops
    $fatal(1, "hf_keccak_array: Hops times Engines - 1 is 1 to 57, and Hops %0d", Hops);
  end
`endif  // HF_NO_PARAMETER_CHECKS

endmodule
