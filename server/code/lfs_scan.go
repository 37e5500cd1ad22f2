package code

import (
	"bytes"
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
func (g *Git) MissingLFSObjects(
	ctx context.Context, st *db.Store, wants, haves []object.ID, do func([]LFSPointer) error,
) error {
	names, err := g.smallBlobs(ctx, wants, haves)
	if err != nil {
		return err
	}
	var list []LFSPointer
	seen := map[string]bool{}
	if err := g.eachPointer(ctx, &names, func(p LFSPointer) {
		if p.Size > 0 && !seen[p.OID] {
			seen[p.OID] = true
			list = append(list, p)
		}
	}); err != nil {
		return err
	}
	for batch := range slices.Chunk(list, lfsScanBatch) {
		missing, err := g.withoutStored(ctx, st, batch)
		if err == nil && len(missing) > 0 {
			err = do(missing)
		}
		if err != nil {
			return err
		}
	}
	return nil
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

// smallBlobs returns the names of the blobs that are small enough for a pointer, in lines.
func (g *Git) smallBlobs(ctx context.Context, wants, haves []object.ID) (names bytes.Buffer, err error) {
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
		_, err := names.ReadFrom(out)
		return err
	})
	return names, err
}
