// Package copilot has what is particular to GitHub Copilot CLI: how it is started, which of its versions does what,
// what it says in its own voice, where it keeps its sessions, and whether an installation is fit for use.
//
// Everything here was measured, most of it on 1.0.102; a fact that depends on the version stands in one table
// (quirks.go) with its reason. Copilot CLI ships several times a week, so a fact that is not known to have ended is
// taken to hold. The package starts nothing but what [Detect] and [Inspect] say they start.
package copilot
