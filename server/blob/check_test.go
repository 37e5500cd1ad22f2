package blob_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/blob"
	"hew/server/db"
	"hew/server/servertest"
)

func check(t *testing.T, h *db.Store, d blob.Depth) (found []blob.Finding, c blob.Checked) {
	t.Helper()
	c, err := blob.Check(t.Context(), h, d, func(f blob.Finding) { found = append(found, f) })
	require.NoError(t, err)
	return found, c
}

func TestCheck(t *testing.T) {
	t.Parallel()
	b := newBucket(t)
	h := servertest.Store(t)
	configure(t, h, b.url, "postgres")
	put(t, h, nil)
	put(t, h, content(1, blob.ChunkSize+1))
	damaged, short := put(t, h, content(2, 9)), put(t, h, content(3, 2*blob.ChunkSize))
	configure(t, h, b.url, "s3")
	put(t, h, content(5, 20))
	lost := put(t, h, content(4, 10))
	for _, d := range []blob.Depth{blob.Sizes, blob.Hashes} {
		found, c := check(t, h, d)
		require.Empty(t, found)
		require.Equal(t, blob.Checked{Blobs: 6, Bytes: 3*blob.ChunkSize + 1 + 9 + 20 + 10,
			Problems: map[blob.Problem]int{}}, c)
	}

	id := func(r blob.Ref) string { return "(select key from blobs where sha256 = '\\x" + r.String() + "')" }
	exec := func(sql string) { require.NoError(t, h.Exec(t.Context(), sql, nil)) }
	exec(`update blob_chunks set data = set_byte(data, 3, (get_byte(data, 3) + 1) % 256) where key = ` + id(damaged))
	exec(`delete from blob_chunks where number = 0 and key = ` + id(short))
	const stray = "00000000-0000-7000-8000-00000000000"
	exec(`insert into blob_chunks values ('` + stray + `1', 0, 'x'), ('` + stray + `1', 1, 'x')`)
	exec(`insert into blob_chunks values ('` + stray + `2', 0, 'x')`)
	exec(`insert into blob_uploads (key, backend) values ('` + stray + `2', 'postgres')`) // one that runs
	for _, name := range []string{"blobs/" + stray + "3", "blobs/README", "elsewhere"} {
		b.write(t, name, []byte("x"))
	}
	row, err := db.Value[string](t.Context(), h, `select `+id(lost)+`::text`, nil)
	require.NoError(t, err)
	_, err = b.DeleteObject(bucketName, "blobs/"+row)
	require.NoError(t, err)

	var lines []string
	found, c := check(t, h, blob.Sizes)
	for _, f := range found {
		lines = append(lines, f.String())
	}
	require.Len(t, lines, 4)
	require.Regexp(t, `^missing: blob \d+, key \S+ on postgres, 2097152 bytes, SHA-256 `+short.String(), lines[0])
	require.Regexp(t, `^missing: blob \d+, key `+row+` on s3, 10 bytes, SHA-256 `+lost.String(), lines[1])
	require.ElementsMatch(t, []string{
		"orphaned: key " + stray + "1 on postgres belongs to no blob",
		"orphaned: key " + stray + "3 on s3 belongs to no blob",
	}, lines[2:])
	require.Equal(t, map[blob.Problem]int{blob.Missing: 2, blob.Orphaned: 2}, c.Problems)

	found, c = check(t, h, blob.Hashes)
	require.Equal(t, map[blob.Problem]int{blob.Missing: 2, blob.Orphaned: 2, blob.Damaged: 1}, c.Problems)
	require.Equal(t, damaged, *found[0].Blob)
}
