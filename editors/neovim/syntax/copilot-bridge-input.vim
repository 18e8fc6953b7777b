if exists("b:current_syntax")
  finish
endif
syntax match CopilotBridgeMention /\%(^\|\s\)\zs@\%("[^"]\+"\|[^ \t@"]\+\)/
syntax match CopilotBridgeVerb /\%^\/\S\+/
syntax region CopilotBridgeOutput start=/`/ end=/`/ oneline keepend
let b:current_syntax = "copilot-bridge-input"
