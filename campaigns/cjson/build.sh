#!/bin/sh
# Builds the library and its tests with CMake, and beside them the workload of this campaign from the same source.
set -eu
cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DENABLE_CJSON_UTILS=Off -DCMAKE_POLICY_VERSION_MINIMUM=3.5 >/dev/null
cmake --build build
cc -O2 -I. -o build/bench "$CLADE_CAMPAIGN_DIR/bench.c" cJSON.c -lm
