package code

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"hew/server/db"
	"hew/server/git/exec"
	"hew/server/git/object"
)

// LFSPointer is what a file of git-lfs says of the content that it stands for.
type LFSPointer struct {
	OID  string `json:"oid"`
	Size int64  `json:"size"`
}

// lfsScanBatch is how many pointers are looked up, and given on, at once.
const lfsScanBatch = 100

// MissingLFSObjects calls do with the large files that some commits reach and others do not, and
// that the project of the repository lacks: at most so many at once as a request of git-lfs has.
// One that two commits have may come twice.
func (g *Git) MissingLFSObjects(
	ctx context.Context, st *db.Store, wants, haves []object.ID, do func([]LFSPointer) error,
) error {
	ids, err := g.smallBlobs(ctx, wants, haves)
	if err != nil {
		return err
	}
	var batch []LFSPointer
	flush := func() error {
		missing, err := g.withoutStored(ctx, st, batch)
		batch = batch[:0]
		if err != nil || len(missing) == 0 {
			return err
		}
		return do(missing)
	}
	for _, id := range ids {
		data, err := g.Blob(ctx, id)
		if err != nil {
			return err
		}
		oid, size, ok := parseLFSPointer(data)
		if !ok || size <= 0 || slices.ContainsFunc(batch, func(p LFSPointer) bool { return p.OID == oid }) {
			continue
		}
		if batch = append(batch, LFSPointer{oid, size}); len(batch) == lfsScanBatch {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// withoutStored returns the pointers to objects that the project lacks.
func (g *Git) withoutStored(ctx context.Context, st *db.Store, list []LFSPointer) ([]LFSPointer, error) {
	var oids []string
	for _, p := range list {
		oids = append(oids, p.OID)
	}
	stored, err := LFSObjects(ctx, st, *g.ProjectID, oids)
	return slices.DeleteFunc(slices.Clone(list), func(p LFSPointer) bool {
		_, ok := stored[p.OID]
		return ok
	}), err
}

// smallBlobs returns the blobs that are small enough for a pointer.
func (g *Git) smallBlobs(ctx context.Context, wants, haves []object.ID) (ids []object.ID, err error) {
	var tips strings.Builder
	for _, id := range wants {
		fmt.Fprintln(&tips, id)
	}
	for _, id := range haves {
		fmt.Fprintf(&tips, "^%s\n", id)
	}
	filter := fmt.Sprintf("--filter=combine:blob:limit=%d+object:type=blob", maxPointer+1)
	err = g.run(ctx, exec.Command{
		Args:  []string{"rev-list", "--objects", "--no-object-names", "--filter-provided-objects", filter, "--stdin"},
		Stdin: strings.NewReader(tips.String()), Heavy: true, Timeout: uploadTimeout,
	}, func(out io.Reader) error {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			id, err := object.ParseID(lines.Text())
			if err != nil {
				return err
			}
			ids = append(ids, id)
		}
		return lines.Err()
	})
	return ids, err
}
