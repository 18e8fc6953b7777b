#!/usr/bin/env bash
# Runs the plugin's tests in one Neovim:  run.sh NVIM MINI_TEST [file…]
#   NVIM       the program
#   MINI_TEST  the folder of mini.test
#   file       test_review, say; without one all
# With CASE in the environment only the cases that have these words in their names run.
# Builds the bridge and the scripted model unless BRIDGE and MODEL name them.
set -euo pipefail
nvim=$1; mini=$2; shift 2
here=$(cd "$(dirname "$0")" && pwd)
plugin=$(dirname "$here")
work=$(mktemp -d)
# The last bridge may still be on its way out when its Neovim has gone.
trap 'for _ in 1 2 3 4 5; do rm -rf "$work" 2>/dev/null && break; sleep 1; done' EXIT
if [ -z "${BRIDGE:-}" ]; then (cd "$plugin/../.." && go build -trimpath -o "$work/copilot-bridge" ./cmd/copilot-bridge); export BRIDGE=$work/copilot-bridge; fi
if [ -z "${MODEL:-}" ]; then (cd "$plugin/../.." && go build -trimpath -o "$work/model" ./acp/acptest/model/serve); export MODEL=$work/model; fi
export TMPDIR=$work PLUGIN=$plugin
# The tests' own Neovim reads nothing of the user's either; Copilot keeps its cache.
env XDG_CONFIG_HOME="$work/x" XDG_DATA_HOME="$work/x" XDG_STATE_HOME="$work/x" \
  "$nvim" --clean --headless -u NONE --cmd "set rtp^=$mini" -l "$here/run.lua" "$@"
