module github.com/copilot-bridge/copilot-bridge/packaging

go 1.26.0

require (
	github.com/copilot-bridge/copilot-bridge v0.0.0
	github.com/google/licensecheck v0.3.1
)

require go.uber.org/goleak v1.3.0 // indirect

replace github.com/copilot-bridge/copilot-bridge => ../
