package db_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/db"
)

// TestColumnsOfNilLists: a nil list is written as an empty one; nil bytes stay null.
func TestColumnsOfNilLists(t *testing.T) {
	t.Parallel()
	_, args := db.Columns(struct {
		IDs    []int64  `db:"ids"`
		Names  []string `db:"names"`
		Digest []byte   `db:"digest"`
	}{})
	require.Equal(t, []int64{}, args["ids"])
	require.Equal(t, []string{}, args["names"])
	require.Nil(t, args["digest"])
}
