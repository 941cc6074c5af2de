// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Binds the checkers: in a simulation, every instance of a module named here has its checker. Each
// bind is used if its module is part of the simulation (hashfabric.registry.sources.checked).
// Neither this file nor a checker is ever synthesised.

// Engines of Keccak (docs/reference/contract.md).
bind hf_keccak_iterative hf_engine_contract_sva #(
    .Interval(NumSteps), .RoundChoice(RoundChoice)
) u_contract (.*);
bind hf_keccak_two_stage hf_engine_contract_sva #(
    .Slots(2), .Interval(48 + 32'(VsxRegister)), .DataDelay(1), .HoldsState(1'b0)
) u_contract (.*);
bind hf_keccak_pipelined hf_engine_contract_sva #(
    .Slots(Depth), .Interval(SlotCycles * Depth), .DataDelay(DataDelay), .HoldsState(1'b0),
    .ZeroBetween(!HasBlock), .HalfChoice(HalfChoice)
) u_contract (.*);
bind hf_keccak_dsp_wide hf_engine_contract_sva #(
    .Slots(Depth), .Interval(24 * Depth), .DataDelay(DataDelay), .HoldsState(1'b0)
) u_contract (.*);
bind hf_keccak_dsp_21 hf_engine_contract_sva #(
    .Slots(Slots), .Interval(120 * Slots), .DataDelay(3), .HoldsState(1'b0)
) u_contract (.*);
bind hf_keccak_dsp_58 hf_engine_contract_sva #(
    .Slots(Slots), .Interval(120 * Slots), .DataDelay(DataDelay), .HoldsState(1'b0)
) u_contract (.*);
bind hf_keccak_dsp_planes hf_engine_contract_sva #(
    .Slots(Slots), .Interval(120 * Slots), .DataDelay(3), .HoldsState(1'b0)
) u_contract (.*);
bind hf_contract_reference hf_engine_contract_sva #(
    .Slots(Slots), .Interval(24 * Slots), .DataDelay(DataDelay), .HoldsState(HoldsState)
) u_contract (.*);
bind hf_masked_plain hf_engine_contract_sva #(
    .Slots(Slots), .Interval((Slots == 1 && (Guards || RandomStalls)) ? 1500 : 48),
    .DataDelay(Slots == 2 ? 3 : 0), .HoldsState(Slots == 1)
) u_contract (.*);

// Engines of the word contract (docs/reference/word-contract.md).
bind hf_keccak_iterative_words hf_word_contract_sva #(
    .WordWidth(Width), .BlockClocks(24), .AddClocks(NumWords + 8), .ReadClocks(8),
    .WipeClocks(7)
) u_contract (.*);
bind hf_keccak_checked hf_word_contract_sva #(
    .WordWidth(Width), .BlockClocks(24), .AddClocks(state_words(Width) + 8),
    .ReadClocks(8 + 32'(Width != 64)), .PermuteClocks(1), .WipeClocks(8)
) u_contract (.*);
bind hf_alarm hf_alarm_sva u_rule (.*);
bind hf_keccak_serial hf_word_contract_sva #(
    .WordWidth(Width),
    .BlockClocks(24 * (64 / Slices + 5)),
    .AddClocks((WordWidth == 64) ? 64 / Slices + 5 : (128 - WordWidth) / Slices + 4),
    .ReadClocks((WordWidth == 64) ? 64 / Slices + 5 : (128 - WordWidth) / Slices + 4),
    .PermuteClocks(((64 - WordWidth) / Slices < 2) ? 1 : (64 - WordWidth) / Slices - 1),
    .WipeClocks((WordWidth == 64) ? 64 / Slices + 5 : (128 - WordWidth) / Slices + 4)
) u_contract (.*);
bind hf_masked_serial_plain hf_word_contract_sva #(
    .WordWidth(WordWidth),
    .BlockClocks(24 * (64 / Slices + (RandomStalls ? 60 : 6))),
    .AddClocks(((WordWidth == 64) ? 64 / Slices + 6 : (128 - WordWidth) / Slices + 5) +
               (RandomStalls ? 60 : 0)),
    .ReadClocks(((WordWidth == 64) ? 64 / Slices + 6 : (128 - WordWidth) / Slices + 5) +
                (RandomStalls ? 60 : 0)),
    .PermuteClocks((((64 - WordWidth) / Slices < 2) ? 1 : (64 - WordWidth) / Slices - 1) +
                   (RandomStalls ? 60 : 0)),
    .WipeClocks(((WordWidth == 64) ? 64 / Slices + 6 : (128 - WordWidth) / Slices + 5) +
                (RandomStalls ? 60 : 0))
) u_contract (.*);
bind hf_keccak_tiny hf_word_contract_sva #(
    .WordWidth(Width), .BlockClocks(12560), .AddClocks(8), .ReadClocks(8), .PermuteClocks(8),
    .WipeClocks(806)
) u_contract (.*);
bind hf_word_reference hf_word_contract_sva #(
    .WordWidth(WordWidth), .BlockClocks(BlockClocks), .AddClocks(AddClocks),
    .ReadClocks(ReadClocks), .PermuteClocks(PermuteClocks), .WipeClocks(WipeClocks)
) u_contract (.*);

// Engines of the other families (docs/engines/finalists.md).
bind hf_blake hf_finalist_contract_sva #(
    .Interval((Width == 512) ? 32 : 28), .BlockWidth(BlockWidth), .Width(Width)
) u_contract (.*);
bind hf_blake_pipelined hf_finalist_contract_sva #(
    .Slots(NumStages), .Interval(NumStages * ((Width == 512) ? 32 : 28)),
    .BlockWidth(BlockWidth), .Width(Width)
) u_contract (.*);
bind hf_groestl hf_finalist_contract_sva #(
    .Interval((Width == 512) ? 14 : 10), .BlockWidth(2 * Width), .Width(Width)
) u_contract (.*);
bind hf_groestl_pipelined hf_finalist_contract_sva #(
    .Slots(Depth), .Interval(Depth * ((Width == 512) ? 14 : 10)),
    .BlockWidth(2 * Width), .Width(Width)
) u_contract (.*);
bind hf_jh hf_finalist_contract_sva #(
    .Interval(42), .BlockWidth(512), .Width(512)
) u_contract (.*);
bind hf_jh_pipelined hf_finalist_contract_sva #(
    .Slots(Depth), .Interval(210), .BlockWidth(512), .Width(512)
) u_contract (.*);
bind hf_skein hf_finalist_contract_sva #(
    .Interval(19), .BlockWidth(512), .Width(512)
) u_contract (.*);
bind hf_skein_pipelined hf_finalist_contract_sva #(
    .Slots(NumStages), .Interval(NumStages * (18 / GroupsInt + 1)), .BlockWidth(512), .Width(512)
) u_contract (.*);
bind hf_finalist_stub hf_finalist_contract_sva #(
    .Interval(Clocks), .BlockWidth(BlockWidth), .Width(Width)
) u_contract (.*);

// The stream tops (docs/reference/stream.md).
bind hf_keccak_iterative_axis hf_stream_sva #(
    .DataWidth(DataWidth), .TidWidth(TidWidth), .UserWidth($bits(s_axis_tuser)),
    .Packets(Packets)
) u_stream (.*);
bind hf_keccak_iterative_framed_axis hf_stream_sva #(
    .DataWidth(DataWidth), .TidWidth(TidWidth), .UserWidth($bits(s_axis_tuser)),
    .JoinedCodes(256'h1FFF << 8'h12), .LoadCodes(256'h7 << 8'h1C)  // hf_sp800_185_pkg
) u_stream (.*);
bind hf_keccak_serial_axis hf_stream_sva #(
    .DataWidth(DataWidth), .TidWidth(TidWidth), .UserWidth($bits(s_axis_tuser)),
    .Packets(Packets)
) u_stream (.*);
bind hf_keccak_serial_checked_axis hf_stream_sva #(
    .DataWidth(DataWidth), .TidWidth(TidWidth), .UserWidth($bits(s_axis_tuser)),
    .Packets(Packets)
) u_stream (.*);
bind hf_keccak_checked_axis hf_stream_sva #(
    .DataWidth(DataWidth), .TidWidth(TidWidth), .UserWidth($bits(s_axis_tuser)),
    .Packets(Packets)
) u_stream (.*);
bind hf_keccak_tiny_axis hf_stream_sva #(
    .DataWidth(DataWidth), .TidWidth(TidWidth), .UserWidth($bits(s_axis_tuser)),
    .Packets(Packets)
) u_stream (.*);
bind hf_keccak_pipelined_axis hf_stream_sva #(
    .Slots(Slots), .DataWidth(DataWidth), .TidWidth(TidWidth), .UserWidth($bits(s_axis_tuser)),
    .Packets(Packets)
) u_stream (.*);
// The rules of several slots hold with one message too: the core has several.
bind hf_keccak_tree_axis hf_stream_sva #(
    .Slots((Messages == 1) ? 2 : Messages), .DataWidth(DataWidth), .TidWidth(TidWidth),
    .UserWidth($bits(s_axis_tuser)), .JoinedCodes(256'h3 << 8'h64)  // hf_keccak_tree_pkg
) u_stream (
    .s_axis_room((Messages == 1) ? 2'(s_axis_room) : s_axis_room),
    .m_axis_stop((Messages == 1) ? 2'(m_axis_stop) : m_axis_stop), .*
);
bind hf_keccak_parallel_axis hf_stream_sva #(
    .Slots(2), .DataWidth(DataWidth), .TidWidth(TidWidth), .UserWidth($bits(s_axis_tuser)),
    .LoadCodes(256'h3 << 8'h6C)  // hf_keccak_parallel_pkg
) u_stream (
    .s_axis_room(2'(s_axis_room)), .m_axis_stop(2'(m_axis_stop)), .*
);
bind hf_keccak_dsp_compact_axis hf_stream_sva #(
    .Slots(Slots), .DataWidth(DataWidth), .TidWidth(TidWidth), .UserWidth($bits(s_axis_tuser)),
    .Packets(Packets)
) u_stream (.*);
bind hf_keccak_dsp_wide_axis hf_stream_sva #(
    .Slots(Slots), .DataWidth(DataWidth), .TidWidth(TidWidth), .UserWidth($bits(s_axis_tuser)),
    .Packets(Packets)
) u_stream (.*);
bind hf_keccak_array hf_stream_sva #(
    .Slots(Tids), .DataWidth(DataWidth), .TidWidth(TidWidth), .UserWidth($bits(s_axis_tuser)),
    .Packets(Packets)
) u_stream (.*);
bind hf_blake_axis hf_stream_sva #(
    .DataWidth(DataWidth), .TidWidth(TidWidth), .UserWidth($bits(s_axis_tuser)),
    .Packets(Packets), .OutUserWidth(4)
) u_stream (.*, .m_axis_stop(1'b0));
bind hf_groestl_axis hf_stream_sva #(
    .DataWidth(DataWidth), .TidWidth(TidWidth), .UserWidth($bits(s_axis_tuser)),
    .Packets(Packets), .OutUserWidth(4)
) u_stream (.*, .m_axis_stop(1'b0));
bind hf_jh_axis hf_stream_sva #(
    .DataWidth(DataWidth), .TidWidth(TidWidth), .UserWidth($bits(s_axis_tuser)),
    .Packets(Packets), .OutUserWidth(4)
) u_stream (.*, .m_axis_stop(1'b0));
bind hf_skein_axis hf_stream_sva #(
    .DataWidth(DataWidth), .TidWidth(TidWidth), .UserWidth($bits(s_axis_tuser)),
    .Packets(Packets), .OutUserWidth(4)
) u_stream (.*, .m_axis_stop(1'b0));
bind hf_finalist_stub_axis hf_stream_sva #(
    .DataWidth(DataWidth), .TidWidth(TidWidth), .UserWidth($bits(s_axis_tuser)), .OutUserWidth(4)
) u_stream (.*, .m_axis_stop(1'b0));

bind hf_keccak_masked_axis hf_axis_sva #(
    .Width($bits(m_axis_tdata) + $bits(m_axis_tkeep) + $bits(m_axis_tid) +
           $bits(m_axis_tuser) + 1)
) u_result (
    .clk_i, .rst_i, .valid_i(m_axis_tvalid), .ready_i(m_axis_tready),
    .payload_i({m_axis_tdata, m_axis_tkeep, m_axis_tid, m_axis_tuser, m_axis_tlast})
);
bind hf_keccak_masked_axis hf_masked_fronts_sva #(
    .Fronts(Fronts), .Slots(Slots), .KeepWidth(KeepWidth), .TidWidth(TidWidth)
) u_fronts (.*);

bind hf_keccak_masked_serial_axis hf_axis_sva #(
    .Width($bits(m_axis_tdata) + $bits(m_axis_tkeep) + $bits(m_axis_tid) +
           $bits(m_axis_tuser) + 1)
) u_result (
    .clk_i, .rst_i, .valid_i(m_axis_tvalid), .ready_i(m_axis_tready),
    .payload_i({m_axis_tdata, m_axis_tkeep, m_axis_tid, m_axis_tuser, m_axis_tlast})
);

bind hf_keccak_masked_checked_axis hf_axis_sva #(
    .Width($bits(m_axis_tdata) + $bits(m_axis_tkeep) + $bits(m_axis_tid) +
           $bits(m_axis_tuser) + 1)
) u_result (
    .clk_i, .rst_i, .valid_i(m_axis_tvalid), .ready_i(m_axis_tready),
    .payload_i({m_axis_tdata, m_axis_tkeep, m_axis_tid, m_axis_tuser, m_axis_tlast})
);

// Random bits of the masked engines.
bind hf_keccak_masked hf_masked_random_sva #(
    .Width(RandWidth)
) u_random (.clk_i, .rst_i, .used_i(load_products), .rand_valid_i, .rand_ready_o, .rand_i);
// With more than two shares: a group that is read, but for a block's words, is masked a clock later.
bind hf_keccak_serial_shares hf_masked_random_sva #(
    .Width(RandWidth), .Stays(Fresh)
) u_random (
    .clk_i, .rst_i,
    .used_i(Fresh ? !no_group && step_q != FirstStep && !(pass_q == PassAccess && add_q) :
            at_random && !hold),
    .rand_valid_i, .rand_ready_o, .rand_i
);

// The masked peripheral: what goes to its core, and its answers.
bind hf_keccak_masked_access hf_axis_sva #(
    .Width($bits(m_tdata_o) + $bits(m_tkeep_o) + $bits(m_tuser_o) + 1)
) u_message (
    .clk_i, .rst_i, .valid_i(m_tvalid_o), .ready_i(m_tready_i),
    .payload_i({m_tdata_o, m_tkeep_o, m_tuser_o, m_tlast_o})
);
// The port of the masked engine, of share 0. The engine waits for its seed, so in any time.
bind hf_keccak_word_window hf_word_contract_sva #(
    .WordWidth(WordWidth), .BlockClocks(1 << 28), .AddClocks(1 << 28), .ReadClocks(1 << 28),
    .PermuteClocks(1 << 28), .WipeClocks(1 << 28)
) u_contract (
    .clk_i, .rst_i, .op_valid_i(op_valid_o), .op_ready_o(op_ready_i), .op_i(op_o),
    .op_addr_i(op_addr_o), .op_bytes_i(op_bytes_o), .op_word_i(op_word_o[WordWidth-1:0])
);
bind hf_keccak_masked_access hf_replies_sva u_replies (
    .clk_i, .rst_i, .reply_i(reply_q)
);

bind hf_keccak_masked_axil hf_answers_sva u_answers (
    .clk_i, .rst_i, .data_i(s_axil_rdata)
);

// The peripheral's DMA masters (docs/integrate/dma.md).
bind hf_keccak_axi_dma hf_axi_master_sva #(
    .ReadWords(BurstWords), .BufferWords(BufferWords), .DataWidth(DataWidth), .WordWidth(WordWidth)
) u_master_rules (.*);
bind hf_keccak_wb_dma hf_wb_master_sva #(
    .BurstWords(BurstWords)
) u_master_rules (.*);

// Parts of the tops.
bind hf_axis_narrow hf_axis_sva #(
    .Width(Width + KeepWidth + 1 + UserWidth + 1)
) u_sink (
    .clk_i, .rst_i, .valid_i(m_valid_o), .ready_i(m_ready_i),
    .payload_i({m_data_o, m_keep_o, m_last_o, m_user_o, m_end_o})
);
bind hf_axis_slice hf_axis_sva #(
    .Width(Width)
) u_sink (
    .clk_i, .rst_i, .valid_i(m_valid_o), .ready_i(m_ready_i), .payload_i(m_data_o)
);
bind hf_keccak_slot_slice hf_axis_sva #(
    .Width(Width + SideWidth + 1)
) u_sink (
    .clk_i, .rst_i, .valid_i(m_valid_o), .ready_i(m_take_o),
    .payload_i({m_data_o, m_side_o, m_last_o})
);
bind hf_axis_skid hf_axis_sva #(
    .Width(Width)
) u_sink (
    .clk_i, .rst_i, .valid_i(m_valid_o), .ready_i(m_ready_i), .payload_i(m_data_o)
);
bind hf_tid_queue hf_axis_sva #(
    .Width(Width)
) u_sink (
    .clk_i, .rst_i, .valid_i(valid_o), .ready_i(pop_i), .payload_i(tid_o)
);
bind hf_axis_stop hf_axis_stop_sva #(
    .Tids(Tids), .TidWidth(TidWidth)
) u_stop (.*);
