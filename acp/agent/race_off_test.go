//go:build !race

package agent

const slow = 1
