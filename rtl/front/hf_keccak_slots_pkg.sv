// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0
//
// Types, widths and functions that the modules of hf_keccak_slots share.
//
// Names of widths: PortWidth is the width of the stream port in bits, WordWidth that of the words
// in which blocks are loaded and states are stored. Both are parameters of hf_keccak_slots; what
// follows from them is computed here only.
//
// Names of pipeline registers: a number before _q is the clock in which the register holds the
// value of its beat, load, state or word. Each module's header names the event that is clock 0.

package hf_keccak_slots_pkg;

  import hf_keccak_pkg::*;
  import hf_keccak_suffix_pkg::*;
  import hf_stream_pkg::*;

  ////////////////////
  // Widths         //
  ////////////////////

  parameter int unsigned StateLanes = StateWidth / LaneWidth;  // 25

  // Lanes of a beat of the port, and of a word.
  function automatic int unsigned port_lanes(input int unsigned data_width);
    return (data_width > LaneWidth) ? data_width / LaneWidth : 1;
  endfunction
  function automatic int unsigned word_lanes(input int unsigned data_width);
    return data_width / LaneWidth;
  endfunction

  // Words, or beats, of a state.
  function automatic int unsigned state_words(input int unsigned data_width);
    return (StateLanes + port_lanes(data_width) - 1) / port_lanes(data_width);
  endfunction

  function automatic int unsigned state_word_bits(input int unsigned data_width);
    return $clog2(state_words(data_width));
  endfunction

  // Bits that number one of `item_count`; at least one.
  function automatic int unsigned index_bits(input int unsigned item_count);
    return (item_count > 1) ? $clog2(item_count) : 1;
  endfunction

  // The queue: 2 ** row_bits rows a slot, one for each block. Enough for the blocks under way when
  // a slot runs out of room, and for some that wait. A row has 32 lanes, numbered by row_lane_t.
  function automatic int unsigned row_bits(input int unsigned port_width);
    return (port_width > 128) ? 4 : 3;
  endfunction
  parameter int unsigned RowLaneBits = 5;
  function automatic int unsigned row_word_bits(input int unsigned data_width);
    return RowLaneBits - $clog2(word_lanes(data_width));
  endfunction

  // Loads. `lead_clocks`: from the decision on a load to its handshake. `gap_clocks`: between two
  // loads: the words and one more, rounded up to `slot_clocks`.
  function automatic int unsigned lead_clocks(input int unsigned data_width,
                                              input int unsigned data_delay);
    return state_words(data_width) + 9 - data_delay;
  endfunction
  function automatic int unsigned gap_clocks(input int unsigned data_width,
                                             input int unsigned slot_clocks);
    return (state_words(data_width) + slot_clocks) / slot_clocks * slot_clocks;
  endfunction

  // Width of a word that is wide enough to load one block, with a saved state, before the next
  // block is due.
  function automatic int unsigned word_width(input int unsigned port_width,
                                             input int unsigned slot_count,
                                             input int unsigned block_period);
    return (port_width > 256 || block_period < 8 * slot_count) ? 512 :
        (port_width > 128 || block_period < 14 * slot_count) ? 256 : 128;
  endfunction

  // Where blocks follow each other as closely as they can be loaded, each slot gets a fixed clock
  // in the period: the clocks from one such clock to the next, else 1.
  function automatic int unsigned every_clocks(input int unsigned slot_count,
                                               input int unsigned block_period,
                                               input int unsigned data_width);
    return (block_period / slot_count == state_words(data_width) + 1 &&
            coprime(block_period / slot_count, slot_count)) ? block_period / slot_count : 1;
  endfunction

  function automatic bit coprime(input int unsigned first_number, input int unsigned second_number);
    for (int unsigned i = 2; i <= first_number; i++) begin
      if (first_number % i == 0 && second_number % i == 0) return 1'b0;
    end
    return 1'b1;
  endfunction

  ////////////////////
  // Rates          //
  ////////////////////

  // A rate in three bits, because one is stored for each slot. The supported functions have rates
  // of 9, 13, 16, 17, 18 and 21 lanes (hf_keccak_pkg::function_info). Two of the bits are bits of
  // the rate, inverted, because rates are subtracted.
  typedef logic [2:0] rate_t;

  function automatic rate_t rate_of(input logic [4:0] rate_lanes);
    logic unused;
    unused = rate_lanes[3];
    return {!rate_lanes[2], rate_lanes[0] ? rate_lanes[4] : rate_lanes[1], !rate_lanes[0]};
  endfunction

  function automatic logic [4:0] lanes_of(input rate_t rate_code);
    return {
      rate_code[0] || rate_code[1],
      !rate_code[0] && !rate_code[1],
      !rate_code[2],
      rate_code[0] && rate_code[1],
      !rate_code[0]
    };
  endfunction

  /////////////////////
  // Between modules //
  /////////////////////

  // Slot, data, keep, lane of a beat and row are not in these structs: their widths depend on
  // parameters, and they are ports beside the struct.

  typedef logic [4:0] lane_count_t;  // lanes of a state or of a row
  typedef logic [RowLaneBits-1:0] row_lane_t;  // a lane of a row, or a beat of it

  // An accepted beat, from hf_keccak_slot_port.
  typedef struct packed {
    logic                   first_beat;         // of its message
    logic                   last_beat;          // of its message
    logic                   function_unknown;   // its function code is not supported
    logic                   keep_has_hole;      // a byte is missing between two others
    logic                   short_not_last;     // a byte is missing, and the beat is not the last
    logic                   bits_without_byte;  // tuser has bits of a byte, and there is no byte
    suffix_kind_t           suffix_kind;        // suffix of its function
    rate_t                  function_rate;      // rate of its function
    logic [4:0]             digest_words;       // output of its function, in 32-bit words; 0: any
    logic [LengthWidth-1:0] output_length;      // requested output, in bits
    logic                   length_open;        // that field is all ones: an open output
    logic [2:0]             last_bits;          // valid bits of the last byte; 0: all
    logic                   ends_whole;         // the message ends here, with a whole byte
    logic                   ends_partial;       // the message ends here, in a byte
    logic                   start_odd;          // the suffix starts in an odd byte of the beat
  } beat_t;

  // What a message requests, from hf_keccak_suffix: the length of its output.
  typedef struct packed {
    logic [33:0] whole_lanes;   // whole lanes
    logic [5:0]  tail_bits;     // bits after those lanes
    logic        lane_partial;  // tail_bits is not zero
    logic        output_open;   // the output runs until it is stopped; the rest is ignored
  } message_t;

  // A word of a message, suffix included, from hf_keccak_suffix.
  typedef struct packed {
    logic word_valid;
    logic first_word;     // of its message
    logic last_word;      // of its message, but for the spilled suffix
    logic after_last;     // the clock after the last word: the spilled suffix, or zeros
    logic suffix_spills;  // the suffix continues in the next word
    logic suffix_fills;   // the suffix ends at the end of a lane
    logic message_bad;    // the message breaks a rule of the port
  } word_t;

  // The next block of a slot, from hf_keccak_block_queue.
  typedef struct packed {
    logic      block_queued;  // it is complete in the queue
    logic      final_block;   // and it is the message's last
    logic      message_bad;   // the message breaks a rule of the port
    row_lane_t end_lane;      // lane of its row in which the message ends, if it is the last
  } block_t;

  // A load, from hf_keccak_load_fields.
  typedef struct packed {
    logic      squeeze_only;   // no block: the state is permuted for more output
    logic      final_block;    // the message's last block
    logic      restore_state;  // the saved state is added
    logic      message_bad;    // the message breaks a rule of the port
    rate_t     function_rate;
    row_lane_t end_lane;       // as in block_t
  } load_t;

  // The output of the state of a load, from hf_keccak_output_budget.
  typedef struct packed {
    logic        gives_output;  // the state gives output, or an error
    lane_count_t lane_count;    // lanes of it
    logic        output_done;   // they end the output
    logic [5:0]  tail_bits;     // bits in the last lane (0: all)
    logic        message_bad;   // an error, not a digest
    logic        output_open;   // part of an open output
  } job_t;

  // A job on its way to the port, from hf_keccak_digest_queue.
  typedef struct packed {
    logic [5:0] tail_bits;     // bits in the last lane, if it is partial
    logic       lane_partial;  // the last lane is
    logic       empty_beat;    // an empty beat
    logic       output_done;   // the output ends with this job
    logic       message_bad;   // an error
    logic       output_open;   // part of an open output
  } digest_t;

endpackage
