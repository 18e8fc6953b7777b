package diff

const (
	// maxEffort bounds the inner steps of one comparison (diagonals visited and
	// lines walked by the shortest-path search). It is what 1,000 scattered
	// changes among 100,000 indistinguishable lines need, several times over,
	// and is spent in well under 100 ms. A stretch that would exceed it becomes
	// one hunk.
	maxEffort = 12_000_000

	// maxAnchorDepth bounds how often a stretch is cut at lines that occur once
	// on either side before the shortest-path search takes what is left. Real
	// files settle after two or three cuts; crafted ones could go on for ever.
	maxAnchorDepth = 12

	// maxFine is up to how many bytes a changed stretch is compared by character
	// without looking at its lines first. The search takes the square of that at
	// worst, which maxEffort ends.
	maxFine = 64 << 10

	// maxSlide bounds how many lines a hunk is moved in search of a better
	// looking place. Only its looks depend on it.
	maxSlide = 200

	// maxKinship bounds the pairs of lines that are looked at for likeness when
	// two changes lie beside each other. Beyond it they are a conflict.
	maxKinship = 10_000

	// maxTokenLine is the longest line (bytes) that Merge3 takes apart into
	// tokens when both sides changed it. Longer ones are data, where a merge
	// within the line would be a guess.
	maxTokenLine = 4096
)
