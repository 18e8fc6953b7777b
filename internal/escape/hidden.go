package escape

const bom = 0xfeff

// Hidden reports whether r changes how text reads without being seen: bidirectional controls (Trojan Source),
// zero-width and filler characters, invisible operators, interlinear annotation, tag characters and the
// variation selectors that nothing but smuggling uses. U+FE00-FE0F stay: half of all emoji end in one.
func Hidden(r rune) bool {
	switch {
	case r < 0xad:
		return false
	case r == 0xad, r == 0x34f, r == 0x61c, r == bom, r == 0x3164, r == 0xffa0,
		r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5, r == 0x180e:
		return true
	case r >= 0x200b && r <= 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2060 && r <= 0x206f,
		r >= 0xfff9 && r <= 0xfffb, r >= 0xe0000 && r <= 0xe007f, r >= 0xe0100 && r <= 0xe01ef:
		return true
	}
	return false
}
