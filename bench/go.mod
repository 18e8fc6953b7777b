module github.com/copilot-bridge/copilot-bridge/bench

go 1.26.0

require (
	github.com/coder/acp-go-sdk v0.13.5
	github.com/copilot-bridge/copilot-bridge v0.0.0
	github.com/go-json-experiment/json v0.0.0-20260623181947-01eb4420fa68
)

require (
	github.com/mattn/go-colorable v0.1.14 // indirect
	github.com/mattn/go-isatty v0.0.20 // indirect
	github.com/rs/zerolog v1.35.1 // indirect
	go.uber.org/goleak v1.3.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace github.com/copilot-bridge/copilot-bridge => ../
