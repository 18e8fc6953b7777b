//go:build !race

package guard

const slow = 1
