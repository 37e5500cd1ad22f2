package db_test

import (
	"crypto/sha256"
	"io"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/blob"
	"hew/server/db"
	"hew/server/tree"
)

// Avatars that were rows become blobs, which have the checksums that readers compare.
func TestMigrateAvatars(t *testing.T) {
	t.Parallel()
	st, pool := first(t)
	ctx := t.Context()
	require.NoError(t, db.MigrateBefore(ctx, pool, "0067_uploads.sql"))
	large := make([]byte, 200<<10)
	for i := range large {
		large[i] = byte(i * i >> 3)
	}
	contents := map[tree.Pictured][]byte{
		tree.NewPictured(tree.PicturedGroup, 12): large, tree.NewPictured(tree.PicturedProject, 21): {0xff},
	}
	require.NoError(t, st.Exec(ctx, `
		insert into avatars (namespace_id, project_id, name, type, content) values
		    (12, null, 'a.png', 'image/png', @large), (null, 21, 'b.png', 'image/png', '\xff')`,
		pgx.NamedArgs{"large": large}))
	require.NoError(t, db.Migrate(ctx, pool))
	for of, want := range contents {
		a, err := tree.FindAvatar(ctx, st, of)
		require.NoError(t, err)
		ref, err := blob.Load(ctx, st, a.BlobID)
		require.NoError(t, err)
		require.Equal(t, sha256.Sum256(want), ref.SHA256)
		r, err := blob.Open(ctx, st, ref, 0)
		require.NoError(t, err)
		got, err := io.ReadAll(r)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}
