// Package imports holds the test of which room may know which (docs/architecture.md).
package imports
