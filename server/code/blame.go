package code

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"hew/server/fault"
	"hew/server/git/exec"
	"hew/server/git/object"
	gittree "hew/server/git/tree"
)

// BlameRange is a number of lines that one commit brought.
type BlameRange struct {
	Commit object.ID
	Lines  []string
}

// Blame returns which commits brought the lines of a file: all lines, or those from first to last,
// counted from 1. It returns a not-found fault about File, and 400 for a range that begins beyond
// the end and for a file that is too large.
func (g *Git) Blame(
	ctx context.Context, from object.ID, path string, first, last int,
) (ranges []BlameRange, err error) {
	if err := g.checkBlamed(ctx, from, path); err != nil {
		return nil, err
	}
	args := []string{"blame", "--porcelain"}
	if first > 0 {
		args = append(args, fmt.Sprintf("-L%d,%d", first, last))
	}
	err = g.run(ctx, exec.Command{Args: append(args, from.String(), "--", path), Heavy: true}, func(r io.Reader) error {
		ranges, err = readBlame(r)
		return err
	})
	var failed *exec.Error
	if errors.As(err, &failed) && failed.Err == nil && strings.Contains(failed.Message, "has only") {
		return nil, fault.BadRequest("range is invalid").In(fault.Text) // beyond the end of the file
	}
	return ranges, err
}

// maxBlamed limits a file whose lines are assigned to commits, in bytes.
const maxBlamed = 10 << 20

// checkBlamed refuses a path that is not a file, and a file that is too large.
func (g *Git) checkBlamed(ctx context.Context, from object.ID, path string) error {
	root, err := g.treeOf(ctx, from)
	if err != nil {
		return err
	}
	e, err := gittree.Lookup(ctx, g, root, path)
	if err != nil || !e.Mode.IsBlob() {
		return asNotFound(err, "File")
	}
	size, err := g.Size(ctx, e.ID)
	if err == nil && size > maxBlamed {
		err = refuse(fmt.Sprintf("blame is not available: the file is larger than %d MiB", maxBlamed>>20))
	}
	return err
}

// readBlame reads the porcelain format: a line with the id, headers, and the text after a tab.
func readBlame(r io.Reader) (ranges []BlameRange, err error) {
	in := bufio.NewReader(r)
	var current object.ID
	for {
		line, err := in.ReadString('\n')
		if errors.Is(err, io.EOF) && line == "" {
			return ranges, nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		line = strings.TrimSuffix(line, "\n")
		text, isText := strings.CutPrefix(line, "\t")
		switch {
		case isText:
			if n := len(ranges); n > 0 && ranges[n-1].Commit == current {
				ranges[n-1].Lines = append(ranges[n-1].Lines, text)
			} else {
				ranges = append(ranges, BlameRange{current, []string{text}})
			}
		default:
			digits, _, _ := strings.Cut(line, " ")
			if id, err := object.ParseID(digits); err == nil {
				current = id
			}
		}
	}
}
