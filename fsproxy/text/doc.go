// Package text holds the text of a buffer so that an edit costs the edit and
// not the buffer.
//
// A Text is immutable: Replace returns a new Text that shares all it can with
// the old one, so a snapshot is free to keep and safe to read from any
// goroutine. It is a balanced tree of short strings. Each node knows how many
// bytes, characters and line ends are below it, which is what makes line and
// column conversions, in any of the three LSP position encodings, a walk from
// the root plus a look at one leaf.
//
// Rules that hold:
//
//  1. Bytes are kept. A Text is exactly the bytes it was made of; nothing is
//     normalised, repaired or dropped, not even invalid UTF-8.
//  2. Lines end at "\n", "\r\n" or a lone "\r" (LSP 3.18), and only there:
//     U+2028, form feed and the like are ordinary characters. Lines is one
//     more than the number of line ends, so "a\n" has two lines, as LSP
//     counts them.
//  3. A character begins at every byte that is not a UTF-8 continuation byte,
//     and is two UTF-16 units when that byte is 0xF0 or above. For valid UTF-8
//     this is what LSP means. For anything else it stays additive: the count of
//     a whole is the sum of the counts of its parts, wherever it is cut.
//
// Byte offsets out of range are a programmer's mistake and panic, as slicing a
// string does; positions come from a peer and get an error.
package text
