# SPDX-License-Identifier: GPL-2.0
"""Says in a line how a kernel took a broken module, and whether two kernels agree."""
import re


def signature(console):
    """How a kernel went down: the first line that says so, without numbers, and the function it was in"""
    text = re.sub(r"^\[ *\d+\.\d+\] ?", "", "\n".join(console), flags=re.M)
    said = re.search(r"^(BUG: |Oops|general protection|invalid opcode|int3|divide error|stack segment|"
                     r"PANIC|traps: |Kernel panic|kernel BUG|Missing ENDBR).*", text, re.M)
    first = re.sub(r"0x[0-9a-f]+|\b[0-9a-f]{8,16}\b|\d+", "N", said[0]).strip() if said else "without a word"
    place = re.search(r"RIP: 0010:(\S+)", text)
    top = place and re.match(r"[A-Za-z_]\w*", place[1])
    return f"crash: {first} in {top[0] if top else 'nowhere'}"


def read_a_name(outcome):
    """Linux 6.12 does not check names against the string table, and faults where it reads one behind it"""
    return outcome.startswith("crash: BUG: unable to handle page fault") and outcome.endswith(" in find_kallsyms_symbol")


def verdict(before, after, unnamed=None):
    """unnamed is what comes of the module on the unpatched kernel if such symbols have no name: the series reads none"""
    if before == after:
        if before.startswith("crash") or before == "hang" or " warned " in before or " stuck " in before:
            return "the same fault"
        return "loaded" if before.startswith("0 ") else "refused"
    # The array of patch 2 reads the names that the scan reads, and faults at the same one.
    if read_a_name(before) and after == before.replace("find_kallsyms_symbol", "is_text_symbol"):
        return "the same fault"
    if read_a_name(before) and after == unnamed:
        return "as if unnamed"
    return ""
