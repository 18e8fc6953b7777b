package acp

// Nullable is a member whose absence and whose null mean different things: absence keeps what was said before, null
// takes it back. The zero value is absent.
type Nullable[T any] struct {
	Present bool // the member is there
	Value   *T   // nil while Present: the member is null
}

// Some is a Nullable with a value.
func Some[T any](v T) Nullable[T] { return Nullable[T]{Present: true, Value: &v} }

// Null is a Nullable that is there and null.
func Null[T any]() Nullable[T] { return Nullable[T]{Present: true} }

// Get returns the value; false when the member is absent or null.
func (n Nullable[T]) Get() (T, bool) {
	if n.Value == nil {
		var zero T
		return zero, false
	}
	return *n.Value, true
}

// IsNull says that the member is there and null.
func (n Nullable[T]) IsNull() bool { return n.Present && n.Value == nil }

// nullable marks the type for the codec.
func (n Nullable[T]) nullable() {}
