package inline

import (
	"context"
	"errors"
	"testing"
)

func TestOneHasItsTurnAtATimeInTheOrderInWhichTheyCame(t *testing.T) {
	var l Line
	a, b, c, d := l.Join(), l.Join(), l.Join(), l.Join()
	turns := func() (out string) {
		for i, p := range []*Place{a, b, c, d} {
			select {
			case <-p.first:
				out += string(rune('a' + i))
			default:
			}
		}
		return out
	}
	if err := a.Wait(t.Context()); err != nil || turns() != "a" {
		t.Fatal(err, turns())
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Wait(gone); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	c.Leave() // in the middle of the line
	a.Leave()
	a.Leave()
	if turns() != "ab" {
		t.Fatal(turns())
	}
	b.Leave()
	if turns() != "abd" {
		t.Fatal(turns())
	}
	d.Leave()
	if err := l.Join().Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
}
