package blob_test

import (
	"bytes"
	"context"
	"io"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"hew/server/blob"
	"hew/server/db"
	"hew/server/servertest"
)

// Transactions that have all connections of the pool read blobs: none waits for another connection,
// which only the end of one of them would set free.
func TestTransactionsReadWithTheirOwnConnection(t *testing.T) {
	t.Parallel()
	h := servertest.Store(t)
	want := content(9, 3*blob.BatchSize)
	ref, err := blob.Put(t.Context(), h, bytes.NewReader(want), blob.NoLimit)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), waitTime)
	defer cancel()
	connections := int(h.DB().(*pgxpool.Pool).Config().MaxConns)
	errs := make(chan error, connections)
	var open sync.WaitGroup
	open.Add(connections)
	for n := range connections {
		go func() {
			errs <- h.Tx(ctx, func(st *db.Store) error {
				open.Done()
				open.Wait()
				r, err := blob.Open(ctx, st, ref, int64(len(want)-3*blob.ChunkSize*(n%2)-1))
				if err != nil {
					return err
				}
				got, err := io.ReadAll(r)
				if err == nil && !bytes.Equal(want[len(want)-len(got):], got) {
					err = io.ErrUnexpectedEOF
				}
				return err
			})
		}()
	}
	for range connections {
		require.NoError(t, <-errs)
	}
}
