package code

import (
	"context"
	"strconv"
	"strings"
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
