package policy

const (
	// maxRules bounds a configuration: each question looks at all of them.
	maxRules = 10_000

	// maxRemembered bounds what is remembered: more is a script, and nobody can look through it.
	maxRemembered = 10_000

	// maxFolds is how often a name is folded until it does not change any more. Two rounds are what Unicode needs.
	maxFolds = 8

	// maxAudit is where a log is moved aside to NAME.1; one older one is kept.
	maxAudit = 16 << 20

	// maxAuditText bounds one text in the log: a command of a megabyte is not looked at.
	maxAuditText = 64 << 10

	// maxPlainArgv bounds a command that can be remembered: longer ones are programs.
	maxPlainArgv = 4 << 10
)
