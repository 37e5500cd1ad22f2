package blob_test

import (
	"math/rand/v2"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/blob"
	"hew/server/db"
	"hew/server/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }

// content returns size bytes that are the same for the same seed.
func content(seed uint64, size int) []byte {
	random := rand.NewChaCha8([32]byte{0: byte(seed), 1: byte(seed >> 8)})
	b := make([]byte, size)
	_, _ = random.Read(b) // never fails
	return b
}

// ownDatabase is a database that no other test gets afterwards, for tests that make tables.
func ownDatabase(t testing.TB) *db.Store {
	t.Helper()
	h, pool, err := db.Open(t.Context(), db.Config{URL: servertest.URL(t), Refusals: blob.Refusals})
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	return h
}

// number reads a query of one number.
func number(t *testing.T, h *db.Store, sql string) int64 {
	t.Helper()
	n, err := db.Value[int64](t.Context(), h, sql, nil)
	require.NoError(t, err)
	return n
}

// requireRows says how many blobs, uploads and chunks there are.
func requireRows(t *testing.T, h *db.Store, blobs, uploads, chunks int64) {
	t.Helper()
	require.Equal(t, [3]int64{blobs, uploads, chunks}, [3]int64{
		number(t, h, `select count(*) from blobs`), number(t, h, `select count(*) from blob_uploads`),
		number(t, h, `select count(*) from blob_chunks`),
	}, "rows of blobs, blob_uploads and blob_chunks")
}

// age makes all blobs and uploads two days old.
func age(t *testing.T, h *db.Store) {
	t.Helper()
	for _, sql := range []string{
		`update blobs set used_at = used_at - @by::interval`,
		`update blob_uploads set touched_at = touched_at - @by::interval`,
	} {
		require.NoError(t, h.Exec(t.Context(), sql, pgx.NamedArgs{"by": "2 days"}))
	}
}
