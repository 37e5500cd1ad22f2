package view_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/view"
)

func TestWeb(t *testing.T) {
	t.Parallel()
	s := view.Site{Base: "https://hew.example.com"}
	require.Equal(t, "https://hew.example.com/a/b/-/tree/fix/%231%3F%20100%25", s.Web("a/b/-/tree/fix/#1? 100%"))
}
