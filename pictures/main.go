// Command pictures makes the pictures of the docs that show a terminal: it runs the real program, presses keys as a user would, and
// writes what the screen showed as an animated SVG.
//
//	BRIDGE=copilot-bridge NVIM=nvim pictures [-text] [-size 80x24] FOLDER [NAME…]
//
// A picture has no times of its own: how long a screen is shown is said in its story, so that each run writes the same bytes. With
// -text a picture is its screens as plain text.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// storyLimit is how long one story may take; Copilot's first start on a machine unpacks itself.
const storyLimit = 3 * time.Minute

// A story is how a picture is made.
type story struct {
	name  string
	label string // what the picture shows, for who cannot see it
	cols  int
	rows  int
	play  func(ctx context.Context, at place) ([]frame, error)
}

// A place is where a story is played: the size of the terminal, and a folder of its own, which is gone afterwards.
type place struct {
	dir        string
	cols, rows int
}

var stories = []story{
	{"neovim", "A turn in Neovim: Copilot reads a line that is not saved, asks, edits and runs the test; one hunk is kept and one undone", 104, 28, neovim},
	{"demo", "copilot-bridge demo in a terminal: a line that is not saved, one question, a hunk kept and one undone, and what to do next", 80, 24, terminalDemo},
}

func main() {
	text := flag.Bool("text", false, "write the screens as plain text")
	size := flag.String("size", "", "the size of the terminal, instead of the story's")
	flag.Parse()
	if err := run(context.Background(), flag.Args(), *text, *size); err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, text bool, size string) error {
	if len(args) == 0 {
		return fmt.Errorf("name the folder that the pictures go to")
	}
	for _, s := range stories {
		if len(args) > 1 && !slices.Contains(args[1:], s.name) {
			continue
		}
		if size != "" {
			if _, err := fmt.Sscanf(size, "%dx%d", &s.cols, &s.rows); err != nil {
				return fmt.Errorf("-size %s: %w", size, err)
			}
		}
		if err := s.write(ctx, args[0], text); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

func (s story) write(ctx context.Context, folder string, text bool) error {
	ctx, cancel := context.WithTimeout(ctx, storyLimit)
	defer cancel()
	dir, err := os.MkdirTemp("", "pictures-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return err
	}
	frames, err := s.play(ctx, place{dir, s.cols, s.rows})
	if err != nil {
		return err
	}
	name, out := s.name+".svg", svg(s, frames)
	if text {
		var b strings.Builder
		for i, f := range frames {
			fmt.Fprintf(&b, "---- screen %d of %d: %s ----\n%s\n", i+1, len(frames), f.caption, f.screen.text())
		}
		name, out = s.name+".txt", b.String()
	}
	return os.WriteFile(filepath.Join(folder, name), []byte(out), 0o644)
}
