// Package imports holds the tests of which room may know which, and of how large one may be (docs/dev/architecture.md).
package imports
