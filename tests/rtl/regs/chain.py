"""Chains of hashes and Merkle trees as FIPS 205 has them for SHAKE, by hashlib."""

import hashlib

ADDRESS = 32
"""Bytes of ADRS."""
CLOCKS_PER_HASH = 26
CLOCKS_PER_LIST_BLOCK = 61
"""Of T_len: 37 to load a block, and 24 rounds; two more in all."""
STEPS = 15
"""w - 1: the longest chain of WOTS+."""
WOTS_HASH, WOTS_KEY, TREE, FORS_TREE, WOTS_SECRET, FORS_SECRET = 0, 1, 2, 3, 5, 6
"""Types of addresses, section 4.2."""


def chain(prefix: bytes, address: bytes, value: bytes, count: int) -> bytes:
    """Return the value after `count` hashes; the hash address is the last word of `address`."""
    first = int.from_bytes(address[28:], "big")
    for step in range(count):
        counted = address[:28] + ((first + step) % 2**32).to_bytes(4, "big")
        value = hashlib.shake_256(prefix + counted + value).digest(len(prefix))
    return value


def digits_of(message: bytes) -> list[int]:
    """Return the digits of a message of WOTS+, and its checksum's: algorithm 7, lines 1 to 7."""
    digits = [half for byte in message for half in (byte >> 4, byte & 15)]
    checksum = sum(STEPS - digit for digit in digits)
    return [*digits, checksum >> 8 & 15, checksum >> 4 & 15, checksum & 15]


def digit_words(message: bytes) -> list[int]:
    """Return what is written to the register DIGITS for a message."""
    last = digits_of(message)[-3:]
    data = message + bytes((last[0] << 4 | last[1], last[2] << 4, 0, 0))
    return [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data), 4)]


class Trees:
    """The trees of a key: section 5 to 8 of FIPS 205, by their recursive definitions."""

    def __init__(self, prefix: bytes, secret: bytes, address: bytes) -> None:
        """Take PK.seed, SK.seed, and an address: its layer and tree, and in FORS its key pair."""
        self.prefix, self.secret, self.address = prefix, secret, address

    def hash(self, words: tuple[int, int, int, int], message: bytes) -> bytes:
        """Return PRF, F, H or T_l, with the last four words of the address."""
        address = self.address[:16] + b"".join(word.to_bytes(4, "big") for word in words)
        return hashlib.shake_256(self.prefix + address + message).digest(len(self.prefix))

    def wots_chain(self, leaf: int, number: int, steps: int) -> bytes:
        """Return a value of a chain of WOTS+: algorithms 5 and 6."""
        value = self.hash((WOTS_SECRET, leaf, number, 0), self.secret)
        for step in range(steps):
            value = self.hash((WOTS_HASH, leaf, number, step), value)
        return value

    def xmss_node(self, index: int, height: int) -> bytes:
        """Return a node of the tree of keys: algorithm 9."""
        if height == 0:
            chains = 2 * len(self.prefix) + 3
            ends = [self.wots_chain(index, number, STEPS) for number in range(chains)]
            return self.hash((WOTS_KEY, index, 0, 0), b"".join(ends))
        pair = (self.xmss_node(2 * index + side, height - 1) for side in (0, 1))
        return self.hash((TREE, 0, height, index), b"".join(pair))

    def xmss_part(self, leaf: int, height: int, message: bytes) -> bytes:
        """Return a leaf's signature and path: algorithm 10."""
        values = [
            self.wots_chain(leaf, number, digit) for number, digit in enumerate(digits_of(message))
        ]
        path = [self.xmss_node((leaf >> level) ^ 1, level) for level in range(height)]
        return b"".join(values + path)

    def fors_secret(self, index: int) -> bytes:
        """Return a secret value: algorithm 14."""
        key_pair = int.from_bytes(self.address[20:24], "big")
        return self.hash((FORS_SECRET, key_pair, 0, index), self.secret)

    def fors_node(self, index: int, height: int) -> bytes:
        """Return a node of a tree of FORS: algorithm 15."""
        key_pair = int.from_bytes(self.address[20:24], "big")
        if height == 0:
            return self.hash((FORS_TREE, key_pair, 0, index), self.fors_secret(index))
        pair = (self.fors_node(2 * index + side, height - 1) for side in (0, 1))
        return self.hash((FORS_TREE, key_pair, height, index), b"".join(pair))

    def fors_part(self, first: int, leaf: int, height: int) -> bytes:
        """Return the secret value of a leaf and its path: algorithm 16, of one tree."""
        index = first + leaf
        path = [self.fors_node((index >> level) ^ 1, level) for level in range(height)]
        return b"".join([self.fors_secret(index), *path])


def tree_clocks(value_bytes: int, height: int, *, fors: bool) -> int:
    """Return the clocks of a tree."""
    leaves = 1 << height
    nodes = CLOCKS_PER_HASH * (leaves - 1)
    if fors:
        return 2 * CLOCKS_PER_HASH * leaves + nodes
    chains = 2 * value_bytes + 3
    blocks = (value_bytes + ADDRESS + chains * value_bytes) // 136 + 1
    key = chains * (STEPS + 1) * CLOCKS_PER_HASH + blocks * CLOCKS_PER_LIST_BLOCK + 2
    return leaves * key + nodes
