// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// The bus of the peripheral's DMA master as AXI4 (ARM IHI 0022): 32 or 64 bits, bursts of type INCR
// that their requesters keep inside of 4 KiB, all with ID 0, so they are answered in order. Reads
// are requested ahead of their answers, as far as the buffer has room; one write at a time. No
// output depends on an input in the same clock.
//
// The master writes words of 32 bits, and reads words of 32 or 64. On 64 bits a beat carries the two
// words of 32 bits at a multiple of 8 bytes. A burst of such words that begins or ends in the middle
// of a beat has all of that beat: of a read the other word is dropped, of a write its strobes are
// low. Two words take two clocks, so rready is low in every other clock of a read.

module hf_keccak_dma_axi #(
    parameter  int unsigned BurstWords  = 16,                 // longest burst of a read
    parameter  int unsigned DataWidth   = 32,                 // of the bus: 32 or 64
    parameter  int unsigned WordWidth   = 32,                 // of what is read: 32 or DataWidth
    localparam int unsigned LengthWidth = $clog2(BurstWords)
) (
    input logic clk_i,
    input logic rst_i,

    // Reads: hf_keccak_dma_read.
    input  logic                   burst_valid_i,
    output logic                   burst_ready_o,
    input  logic [           31:2] burst_addr_i,
    input  logic [LengthWidth-1:0] burst_len_i,
    output logic                   data_valid_o,
    output logic [  WordWidth-1:0] data_o,
    output logic                   data_error_o,
    output logic                   data_last_o,

    // A write: it stands until done, when its words have been taken.
    input  logic        write_valid_i,
    input  logic [31:2] write_addr_i,
    input  logic [ 3:0] write_len_i,
    input  logic [ 3:0] write_bytes_i,  // of the last word
    input  logic [31:0] write_data_i,
    output logic        write_take_o,
    output logic        write_done_o,
    output logic        write_error_o,

    output logic        awvalid_o,
    input  logic        awready_i,
    output logic [ 0:0] awid_o,
    output logic [31:0] awaddr_o,
    output logic [ 7:0] awlen_o,
    output logic [ 2:0] awsize_o,
    output logic [ 1:0] awburst_o,
    output logic [ 3:0] awcache_o,
    output logic [ 2:0] awprot_o,
    output logic        wvalid_o,
    input  logic        wready_i,
    output logic [DataWidth-1:0] wdata_o,
    output logic [DataWidth/8-1:0] wstrb_o,
    output logic        wlast_o,
    input  logic        bvalid_i,
    output logic        bready_o,
    input  logic [ 0:0] bid_i,
    input  logic [ 1:0] bresp_i,
    output logic        arvalid_o,
    input  logic        arready_i,
    output logic [ 0:0] arid_o,
    output logic [31:0] araddr_o,
    output logic [ 7:0] arlen_o,
    output logic [ 2:0] arsize_o,
    output logic [ 1:0] arburst_o,
    output logic [ 3:0] arcache_o,
    output logic [ 2:0] arprot_o,
    input  logic        rvalid_i,
    output logic        rready_o,
    input  logic [ 0:0] rid_i,
    input  logic [DataWidth-1:0] rdata_i,
    input  logic [ 1:0] rresp_i,
    input  logic        rlast_i
);

  localparam bit Wide = DataWidth == 64;  // two words a beat
  localparam logic [2:0] Size = Wide ? 3'd3 : 3'd2;
  localparam logic [1:0] BurstIncr = 2'd1;
  localparam logic [3:0] Normal = 4'b0011;  // normal memory, non-cacheable, bufferable
  localparam logic [2:0] Data = 3'b000;  // unprivileged, secure, data

  ////////////////////
  // Reads          //
  ////////////////////

  logic ar_valid_q;
  logic [31:2] ar_addr_q;
  logic [LengthWidth-1:0] ar_len_q;

  assign burst_ready_o = !ar_valid_q;
  always_ff @(posedge clk_i) begin
    if (rst_i) ar_valid_q <= 1'b0;
    else ar_valid_q <= ar_valid_q ? !arready_i : burst_valid_i;
    if (burst_valid_i && burst_ready_o) begin
      ar_addr_q <= burst_addr_i;
      ar_len_q  <= burst_len_i;
    end
  end

  assign arvalid_o = ar_valid_q;
  assign arid_o    = 1'b0;
  assign arsize_o  = Size;
  assign arburst_o = BurstIncr;
  assign arcache_o = Normal;
  assign arprot_o  = Data;

  if (Wide && WordWidth == 32) begin : gen_read_beats
    // Where a burst begins and ends: its first word is the upper one of a beat; its last one is the
    // lower one.
    typedef struct packed {
      logic begins_upper;
      logic ends_lower;
    } ends_t;
    localparam int unsigned OpenBursts = 8;  // BufferWords / BurstWords at most

    ends_t burst_ends, ends;
    logic ends_full, ends_valid, unused_ends;
    logic [$clog2(OpenBursts+1)-1:0] ends_level;
    assign burst_ends.begins_upper = burst_addr_i[2];
    assign burst_ends.ends_lower = burst_addr_i[2] == burst_len_i[0];
    hf_fifo #(
        .Width($bits(ends_t)),
        .Depth(OpenBursts)
    ) u_ends (
        .clk_i,
        .clear_i(rst_i),
        .write_i(burst_valid_i && burst_ready_o),
        .data_i (burst_ends),
        .full_o (ends_full),
        .valid_o(ends_valid),
        .data_o (ends),
        .read_i (data_last_o && data_valid_o),
        .level_o(ends_level)
    );
    assign unused_ends = ^{ends_full, ends_valid, ends_level};

    logic beat_valid_q;
    logic [63:0] beat_q;
    logic beat_error_q, beat_last_q;
    logic beat_first_q;  // the first one of its burst
    logic upper_q;  // its lower word has been given
    logic upper, beat_done;
    assign upper = upper_q || (beat_first_q && ends.begins_upper);
    assign beat_done = upper || (beat_last_q && ends.ends_lower);

    always_ff @(posedge clk_i) begin
      if (rst_i) begin
        beat_valid_q <= 1'b0;
        beat_first_q <= 1'b1;
        upper_q      <= 1'b0;
      end else begin
        beat_valid_q <= rready_o ? rvalid_i : 1'b1;
        upper_q      <= beat_valid_q && !beat_done;
        if (beat_valid_q && beat_done) beat_first_q <= beat_last_q;
      end
      if (rready_o) begin
        beat_q       <= rdata_i;
        beat_error_q <= rresp_i[1];
        beat_last_q  <= rlast_i;
      end
    end

    assign araddr_o = {ar_addr_q[31:3], 3'b000};
    assign arlen_o = 8'((9'(ar_len_q) + 9'(ar_addr_q[2])) >> 1);
    assign rready_o = !beat_valid_q || beat_done;
    assign data_valid_o = beat_valid_q;
    assign data_o = upper ? beat_q[63:32] : beat_q[31:0];
    assign data_error_o = beat_error_q;
    assign data_last_o = beat_last_q && beat_done;
  end else begin : gen_read_words
    assign araddr_o = {ar_addr_q, 2'b00};
    assign arlen_o = 8'(ar_len_q);
    // The buffer has room for all that is requested.
    assign rready_o = 1'b1;
    assign data_valid_o = rvalid_i;
    assign data_o = rdata_i;
    assign data_error_o = rresp_i[1];
    assign data_last_o = rlast_i;
  end

  ////////////////////
  // Writes         //
  ////////////////////

  logic writing_q;  // a write is in progress, from the clock after its begin on
  logic aw_valid_q, w_valid_q;
  logic [3:0] w_left_q;  // words after this one
  logic unused_resp;
  assign unused_resp = ^{rid_i, rresp_i[0], bid_i, bresp_i[0]};

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      writing_q  <= 1'b0;
      aw_valid_q <= 1'b0;
      w_valid_q  <= 1'b0;
    end else if (!writing_q) begin
      writing_q  <= write_valid_i;
      aw_valid_q <= write_valid_i;
      w_valid_q  <= write_valid_i;
    end else begin
      writing_q  <= !write_done_o;
      aw_valid_q <= aw_valid_q && !awready_i;
      w_valid_q  <= w_valid_q && !(wvalid_o && wready_i && wlast_o);
    end
    if (!writing_q) w_left_q <= write_len_i;
    else if (write_take_o) w_left_q <= w_left_q - 4'd1;
  end

  logic [3:0] last_bytes;
  assign last_bytes = wlast_o ? write_bytes_i : 4'hF;

  assign awvalid_o = aw_valid_q;
  assign awid_o    = 1'b0;
  assign awsize_o  = Size;
  assign awburst_o = BurstIncr;
  assign awcache_o = Normal;
  assign awprot_o  = Data;
  assign wlast_o   = w_left_q == '0;
  assign bready_o  = writing_q && !aw_valid_q && !w_valid_q;

  if (Wide) begin : gen_write_beats
    logic upper_q;  // the word is the upper one of its beat
    logic lower_valid_q;  // its lower one has been taken
    logic [31:0] lower_q;
    always_ff @(posedge clk_i) begin
      if (!writing_q) begin
        upper_q       <= write_addr_i[2];
        lower_valid_q <= 1'b0;
      end else if (write_take_o) begin
        upper_q       <= !upper_q;
        lower_valid_q <= 1'b1;
      end
      if (write_take_o) lower_q <= write_data_i;
    end

    assign awaddr_o = {write_addr_i[31:3], 3'b000};
    assign awlen_o = {4'd0, 4'((5'(write_len_i) + 5'(write_addr_i[2])) >> 1)};
    assign wvalid_o = w_valid_q && (upper_q || wlast_o);
    assign wdata_o = {write_data_i, upper_q ? lower_q : write_data_i};
    assign wstrb_o = upper_q ? {last_bytes, {4{lower_valid_q}}} : {4'h0, last_bytes};
    assign write_take_o = w_valid_q && (!wvalid_o || wready_i);
  end else begin : gen_write_words
    assign awaddr_o = {write_addr_i, 2'b00};
    assign awlen_o = {4'd0, write_len_i};
    assign wvalid_o = w_valid_q;
    assign wdata_o = write_data_i;
    assign wstrb_o = last_bytes;
    assign write_take_o = wvalid_o && wready_i;
  end

  assign write_done_o  = bvalid_i && bready_o;
  assign write_error_o = bresp_i[1];

endmodule
