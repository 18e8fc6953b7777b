if exists("b:current_syntax")
  finish
endif
syntax match CopilotBridgeChatMention /\%(^\|\s\)\zs@\%("[^"]\+"\|[^ \t@"]\+\)/
syntax match CopilotBridgeChatVerb /\%^\/\S\+/
syntax region CopilotBridgeChatOutput start=/`/ end=/`/ oneline keepend
let b:current_syntax = "copilot-bridge-input"
