// FUZZ_TARGET(NAME)(const std::uint8_t* data, std::size_t size) {...}: the entry of tests/fuzz/NAME.cc. With
// libFuzzer each target is a program of its own, else one of many in fuzz_replay.
#pragma once

#ifdef ASSAY_FUZZ
#define FUZZ_TARGET(name) extern "C" int LLVMFuzzerTestOneInput
#else
#define FUZZ_TARGET(name) extern "C" int Fuzz_##name
#endif
