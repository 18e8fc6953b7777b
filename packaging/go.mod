module github.com/copilot-bridge/copilot-bridge/packaging

go 1.26.0

require (
	github.com/copilot-bridge/copilot-bridge v0.0.0
	github.com/google/licensecheck v0.3.1
)

replace github.com/copilot-bridge/copilot-bridge => ../
