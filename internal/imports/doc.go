// Package imports holds the test of which room may know which (docs/dev/architecture.md).
package imports
