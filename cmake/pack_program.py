#!/usr/bin/env python3
"""Packs a program as io/sandbox/program.h unpacks it; a build step of assay_embed_program.

usage: pack_program.py PROGRAM PACKED
"""
import sys
import zlib
from pathlib import Path

program, packed = map(Path, sys.argv[1:])
plain = program.read_bytes()
packed.write_bytes(len(plain).to_bytes(4, "little") + zlib.compress(plain, 9))
