// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The stream port of two equal cores in lockstep. The first one's outputs are those of the port,
// the second one's are compared with them; a difference raises alarm_o, until a reset. A beat of
// the output is offered a clock after the cores have it, when it has been compared: so a beat
// leaves in every second clock at most. A wrong one is not offered, unless the fault comes while it
// is, or in the gates of this port. While alarm_o is high, no beat is offered and none is accepted:
// a beat that was offered is withdrawn, the one departure from AXI4-Stream.
//
// The first core takes s_tvalid from here, the second all its inputs through hf_kept_wires. So a
// fault in a gate in front of a core is a fault in that core only.
//
// With data in shares, hf_alarm's groups of eight bits have bits of one share each: the data come
// first, and a share has whole bytes. So no gate in front of a register has two shares.

module hf_lockstep_stream #(
    parameter  int unsigned DataWidth = 64,  // of the ports, with all shares
    parameter  int unsigned TidWidth = 1,
    parameter  int unsigned OtherWidth = 1,  // outputs that are only compared
    localparam int unsigned KeepWidth = DataWidth / 8
) (
    input logic clk_i,
    input logic rst_i, // synchronous, active high

    // The cores' outputs, [0] the first one's, and their m_tready.
    input  logic [1:0]                 s_tready_i,
    input  logic [1:0]                 m_tvalid_i,
    output logic [1:0]                 m_tready_o,
    input  logic [1:0][ DataWidth-1:0] m_tdata_i,
    input  logic [1:0][ KeepWidth-1:0] m_tkeep_i,
    input  logic [1:0]                 m_tlast_i,
    input  logic [1:0][  TidWidth-1:0] m_tid_i,
    input  logic [1:0][           4:0] m_tuser_i,
    input  logic [1:0][OtherWidth-1:0] other_outputs_i,

    // The port; s_tvalid_o is the first core's, and second_m_tready_i the port's m_tready through
    // hf_kept_wires.
    input  logic                 s_tvalid_i,
    output logic                 s_tvalid_o,
    output logic                 s_tready_o,
    output logic                 m_tvalid_o,
    input  logic                 m_tready_i,
    input  logic                 second_m_tready_i,
    output logic [DataWidth-1:0] m_tdata_o,
    output logic [KeepWidth-1:0] m_tkeep_o,
    output logic                 m_tlast_o,
    output logic [ TidWidth-1:0] m_tid_o,
    output logic [          4:0] m_tuser_o,

    output logic alarm_o  // a fault was found
);

  // A core's outputs, those of a beat zero where there is none.
  typedef struct packed {
    logic [OtherWidth-1:0] other;
    logic s_tready, m_tvalid, compared, m_tlast;
    logic [4:0] m_tuser;
    logic [TidWidth-1:0] m_tid;
    logic [KeepWidth-1:0] m_tkeep;
    logic [DataWidth-1:0] m_tdata;
  } outputs_t;
  outputs_t [1:0] core_outputs;

  logic outputs_differ, port_stopped;
  logic [1:0] receiver_ready;
  logic [1:0] beat_compared_q;  // the beat was there a clock before
  assign port_stopped = outputs_differ || alarm_o;
  assign receiver_ready = {second_m_tready_i, m_tready_i && !port_stopped};
  assign m_tready_o = receiver_ready & beat_compared_q;
  always_ff @(posedge clk_i) beat_compared_q <= m_tvalid_i & ~m_tready_o & {2{!rst_i}};

  always_comb begin
    for (int unsigned i = 0; i < 2; i++) begin
      core_outputs[i] = '0;
      core_outputs[i].other = other_outputs_i[i];
      core_outputs[i].s_tready = s_tready_i[i];
      core_outputs[i].m_tvalid = m_tvalid_i[i];
      core_outputs[i].compared = beat_compared_q[i];
      if (m_tvalid_i[i]) begin
        core_outputs[i].m_tdata = m_tdata_i[i];
        core_outputs[i].m_tkeep = m_tkeep_i[i];
        core_outputs[i].m_tlast = m_tlast_i[i];
        core_outputs[i].m_tid   = m_tid_i[i];
        core_outputs[i].m_tuser = m_tuser_i[i];
      end
    end
  end

  hf_alarm #(
      .Width($bits(outputs_t))
  ) u_alarm (
      .clk_i,
      .rst_i,
      .first_i  (core_outputs[0]),
      .second_i (core_outputs[1]),
      .fault_i  (1'b0),
      .differs_o(outputs_differ),
      .alarm_o
  );

  assign s_tvalid_o = s_tvalid_i && !alarm_o;
  assign s_tready_o = s_tready_i[0] && !alarm_o;
  assign m_tvalid_o = m_tvalid_i[0] && beat_compared_q[0] && !port_stopped;
  assign m_tdata_o  = m_tdata_i[0];
  assign m_tkeep_o  = m_tkeep_i[0];
  assign m_tlast_o  = m_tlast_i[0];
  assign m_tid_o    = m_tid_i[0];
  assign m_tuser_o  = m_tuser_i[0];

endmodule
