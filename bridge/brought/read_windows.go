package brought

// openFlags: Windows has no pipes among files.
const openFlags = 0
