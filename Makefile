# For OpenBench, which runs `make EXE=name [EVALFILE=path]` and expects the program under that name in this directory.
# Everybody else: cargo build --release, or `make pgo` for a profile-guided build (scripts/pgo.sh says what it needs).

EXE ?= stillwater
CARGO ?= cargo
TARGET_DIR ?= $(or $(CARGO_TARGET_DIR),target)

# The network to embed. The build reads it from the environment, and it must not depend on the directory cargo works in.
ifdef EVALFILE
export EVALFILE := $(abspath $(EVALFILE))
endif

SUFFIX :=
ifeq ($(OS),Windows_NT)
SUFFIX := .exe
endif

PROGRAM = $(EXE)$(if $(filter %.exe,$(EXE)),,$(SUFFIX))

.PHONY: all pgo clean
all:
	$(CARGO) build --release --package stillwater --target-dir "$(TARGET_DIR)"
	cp "$(TARGET_DIR)/release/stillwater$(SUFFIX)" "$(PROGRAM)"

pgo:
	scripts/pgo.sh "$(PROGRAM)"

clean:
	$(CARGO) clean --target-dir "$(TARGET_DIR)"
