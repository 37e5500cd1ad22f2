package code

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"hew/server/git/exec"
)

// maxPointer is how many bytes the pointer of a large file has at most.
const maxPointer = 1024

// parseLFSPointer returns the oid and size that the content of a file stands for. It is ok if the
// content is a pointer of git-lfs.
func parseLFSPointer(data []byte) (oid string, size int64, ok bool) {
	text := string(data[:min(len(data), maxPointer+1)])
	if len(text) > maxPointer || !strings.HasPrefix(text, "version https://git-lfs.github.com/spec/v1\n") {
		return "", 0, false
	}
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch key {
		case "oid":
			oid, _ = strings.CutPrefix(value, "sha256:")
		case "size":
			size, _ = strconv.ParseInt(value, 10, 64)
		}
	}
	return oid, size, len(oid) == 64
}

// minPointer is how many bytes the pointer of a large file has at least.
const minPointer = 120

// pointerTime limits the search for pointers in a repository.
const pointerTime = 20 * time.Minute

// LFSPointers returns the sizes of the large files that pointers in the repository stand for, by
// oid, whatever commit they are in. It looks at so many blobs of the size of a pointer at
// most, and returns false if there are more.
func (g *Git) LFSPointers(ctx context.Context, most int) (sizes map[string]int64, all bool, err error) {
	sizes, all = map[string]int64{}, true
	if empty, err := g.Empty(ctx); err != nil || empty {
		return sizes, true, err
	}
	var names bytes.Buffer // of blobs that can be pointers
	command := exec.Command{Heavy: true, Timeout: pointerTime, Args: []string{
		"cat-file", "--batch-all-objects", "--unordered", "--batch-check=%(objecttype) %(objectsize) %(objectname)",
	}}
	if err := g.run(ctx, command, func(r io.Reader) error {
		lines := bufio.NewScanner(r)
		for n := 0; lines.Scan(); {
			words := strings.Fields(lines.Text()) // type, size, name
			if len(words) != 3 || words[0] != "blob" {
				continue
			}
			if size, err := strconv.Atoi(words[1]); err != nil || size < minPointer || size > maxPointer {
				continue
			}
			if n++; n > most {
				all = false
				continue // git writes the rest
			}
			names.WriteString(words[2] + "\n")
		}
		return lines.Err()
	}); err != nil {
		return sizes, all, err
	}
	return sizes, all, g.eachPointer(ctx, &names, func(p LFSPointer) { sizes[p.OID] = p.Size })
}

// eachPointer calls do with the pointers among blobs. Their names are in lines.
func (g *Git) eachPointer(ctx context.Context, names *bytes.Buffer, do func(LFSPointer)) error {
	if names.Len() == 0 {
		return nil
	}
	return g.run(ctx, exec.Command{
		Args: []string{"cat-file", "--batch=%(objectsize)"}, Stdin: names, Heavy: true, Timeout: pointerTime,
	}, func(r io.Reader) error { return readPointers(bufio.NewReader(r), do) })
}

// readPointers reads blobs as git cat-file writes them, each after a line with its size, and calls
// do with the pointers among them.
func readPointers(r *bufio.Reader, do func(LFSPointer)) error {
	for {
		line, err := r.ReadString('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		size, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil || size > maxPointer {
			return fmt.Errorf("git cat-file: unexpected line %.40q", line)
		}
		content := make([]byte, size+1) // with the line feed that follows
		if _, err := io.ReadFull(r, content); err != nil {
			return err
		}
		if oid, size, ok := parseLFSPointer(content[:size]); ok {
			do(LFSPointer{oid, size})
		}
	}
}

// FindLFSContent returns what a file stands for if it is the pointer of a large file. A pointer to
// an object that the project does not have is found false.
func (g *Git) FindLFSContent(ctx context.Context, data []byte) (o LFSObject, pointer, found bool, err error) {
	oid, _, pointer := parseLFSPointer(data)
	if !pointer || g.ProjectID == nil {
		return o, false, false, nil
	}
	objects, err := LFSObjects(ctx, g.st, *g.ProjectID, []string{oid})
	o, found = objects[oid]
	return o, true, found, err
}
