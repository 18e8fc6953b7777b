// Package acp is the Agent Client Protocol, version 1: its messages as Go types, their JSON, and a connection that
// carries them. It knows no process and no editor.
//
// The types are generated from the schema of the protocol (internal/gen), with tags that say how each member is read and
// written (fieldTag). One codec goes by them: codecs.go knows the types, layout.go the objects, union.go what has variants,
// decoder.go the text, and
// scan.go is what a line of the wire is judged by too. It does not use the tokens of jsontext, which cannot look ahead for
// the tag of a variant or go back behind a wrong value, and would take twice as long for a chunk of an answer.
//
// What holds for all types:
//
//   - Nothing is lost. Members that a type does not know are in Extra and are written again byte for byte, as are _meta and
//     the raw values of tool calls. A variant of a union that is not known is an [*Unknown] with the object as it came.
//   - Enumerations are strings and open: a value that is no constant is passed on.
//   - A pointer, a slice or a raw value that is nil is a member that is not there. Null means the same, except where a
//     member is [Nullable]. Capabilities, which are false or empty when they are not there, are plain values.
//   - [Unmarshal] is as lenient as the schema asks for; [UnmarshalStrict] is for what decides about paths and
//     permissions; [Marshal] always writes the form of the specification.
package acp

//go:generate go run ./internal/gen
