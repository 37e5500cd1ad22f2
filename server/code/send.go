package code

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/git/exec"
	"hew/server/git/object"
)

// WritePack writes a pack of all that some objects reach and others do not, as a push to another
// repository that has the others needs it. Both kinds are objects of the repository. A thin pack
// has deltas of objects that it does not contain.
func (g *Git) WritePack(ctx context.Context, wants, haves []object.ID, thin bool, out io.Writer) error {
	if g.storage.git == nil {
		return errNoGit
	}
	lent, err := g.lend(ctx)
	if err != nil {
		return err
	}
	defer lent.giveBack()
	var tips strings.Builder
	for _, id := range wants {
		fmt.Fprintln(&tips, id)
	}
	for _, id := range haves {
		fmt.Fprintf(&tips, "^%s\n", id)
	}
	args := []string{"pack-objects", "-q", "--revs", "--delta-base-offset", "--stdout"}
	if thin {
		args = append(args, "--thin")
	}
	return g.storage.git.Run(ctx, exec.Command{
		Dir: lent.dir, Args: args, Stdin: strings.NewReader(tips.String()), Stdout: out,
		Heavy: true, Timeout: uploadTimeout,
	})
}

// ListLFSObjects returns objects that a project has, in the order of their blobs, after one of
// them. The first ones come after 0.
func ListLFSObjects(ctx context.Context, st *db.Store, project, after int64, limit int) ([]LFSObject, error) {
	return db.Many[LFSObject](ctx, st, selectLFSObjects+` and l.blob_id > @after order by l.blob_id limit @limit`,
		pgx.NamedArgs{"project": project, "after": after, "limit": limit})
}
