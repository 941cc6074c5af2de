-- Hashes a text in a ROM with SHA3-256 and compares the digest with the one that is expected, as a
-- boot loader would. The core is Verilog; its component is in the package that is exported with it.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

use work.hf_keccak_iterative_axis_pkg.all;

entity rom_check is
  port (
    clk    : in  std_logic;
    rst    : in  std_logic;  -- synchronous; the check begins after it
    done   : out std_logic;
    good   : out std_logic;  -- with done: the digest is the expected one
    digest : out std_logic_vector(255 downto 0)  -- its first byte in the lowest bits
  );
end entity;

architecture rtl of rom_check is

  -- NIST's message of 448 bits, and its digest as it is written.
  constant TEXT     : string := "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  constant EXPECTED : std_logic_vector(255 downto 0) :=
    x"41c0dba2a9d6240849100376a8235e2c82e1b9998a999e21db32dd97496d3376";

  constant WORDS : positive := TEXT'length / 8;
  type rom_t is array (0 to WORDS - 1) of std_logic_vector(63 downto 0);

  -- Byte 0 of the message is in the lowest bits of the first word.
  function rom_of(message : string) return rom_t is
    variable rom : rom_t;
  begin
    for word in rom'range loop
      for byte in 0 to 7 loop
        rom(word)(8 * byte + 7 downto 8 * byte) :=
          std_logic_vector(to_unsigned(character'pos(message(8 * word + byte + 1)), 8));
      end loop;
    end loop;
    return rom;
  end function;

  function reversed(bytes : std_logic_vector(255 downto 0)) return std_logic_vector is
    variable turned : std_logic_vector(255 downto 0);
  begin
    for byte in 0 to 31 loop
      turned(8 * byte + 7 downto 8 * byte) := bytes(255 - 8 * byte downto 248 - 8 * byte);
    end loop;
    return turned;
  end function;

  constant ROM : rom_t := rom_of(TEXT);

  signal index                        : unsigned(3 downto 0);  -- WORDS: all are sent
  signal in_data, out_data            : std_logic_vector(63 downto 0);
  signal in_valid, in_ready, in_last  : std_logic;
  signal out_valid, out_last, is_done : std_logic;
  signal collected                    : std_logic_vector(255 downto 0);

begin

  in_valid <= '1' when index < WORDS else '0';
  in_last  <= '1' when index = WORDS - 1 else '0';
  in_data  <= ROM(to_integer(index)) when index < WORDS else (others => '0');

  u_sha3 : component hf_keccak_iterative_axis
    port map (
      clk_i         => clk,
      rst_i         => rst,
      s_axis_tvalid => in_valid,
      s_axis_tready => in_ready,
      s_axis_tdata  => in_data,
      s_axis_tkeep  => x"ff",
      s_axis_tlast  => in_last,
      s_axis_tid    => '0',
      s_axis_tuser  => x"00000000000001",  -- SHA3-256
      s_axis_room   => open,
      m_axis_tvalid => out_valid,
      m_axis_tready => '1',
      m_axis_tdata  => out_data,
      m_axis_tkeep  => open,
      m_axis_tlast  => out_last,
      m_axis_tid    => open,
      m_axis_tuser  => open,
      m_axis_stop   => '0'
    );

  process (clk)
  begin
    if rising_edge(clk) then
      if rst = '1' then
        index   <= (others => '0');
        is_done <= '0';
      else
        if in_valid = '1' and in_ready = '1' then
          index <= index + 1;
        end if;
        if out_valid = '1' then
          collected <= out_data & collected(255 downto 64);
          is_done   <= out_last;
        end if;
      end if;
    end if;
  end process;

  done   <= is_done;
  good   <= '1' when collected = reversed(EXPECTED) else '0';
  digest <= collected;

end architecture;
