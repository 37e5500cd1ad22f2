package code

import (
	"context"
	"io"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/git/object"
	"hew/server/git/pack"
)

// alternates is the variable with which git reads further object directories.
const alternates = "GIT_ALTERNATE_OBJECT_DIRECTORIES="

// ownObjects lets git read what the open transaction has written, which must not be in the copy: it
// may be rolled back. It returns variables for git and a function that ends this.
func (g *Git) ownObjects(ctx context.Context, c *workCopy) (env []string, end func(), err error) {
	end = func() {}
	if !g.st.InTx() {
		return nil, end, nil
	}
	ids, err := db.Values[object.ID](ctx, g.st, `
		select l.oid from loose_objects l
		where l.repository_id = @repository and l.written_by = pg_current_xact_id_if_assigned() order by l.oid`,
		pgx.NamedArgs{"repository": g.ID})
	if err != nil || len(ids) == 0 {
		return nil, end, err
	}
	dir, err := os.MkdirTemp(c.dir, "own-")
	if err != nil {
		return nil, end, err
	}
	end = func() { _ = os.RemoveAll(dir) } // what is left goes with the copy
	if err = os.Mkdir(filepath.Join(dir, "pack"), 0o700); err == nil {
		_, err = writePack(filepath.Join(dir, "pack"), func(w io.Writer) ([20]byte, []byte, error) {
			return pack.Write(w, len(ids), looseRows(ctx, g.st, g.ID, ids))
		})
	}
	if err != nil {
		end()
		return nil, func() {}, err
	}
	return []string{alternates + dir}, end, nil
}
