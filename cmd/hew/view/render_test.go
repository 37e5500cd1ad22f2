package view

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/reconcile/report/reporttest"
)

const (
	webBytes = 12 << 20
)

// TestWebIsSmall: what a browser has to read of 10,000 changes.
func TestWebIsSmall(t *testing.T) {
	t.Parallel()
	require.Less(t, len(browsed(t, reporttest.Year(10_000))), webBytes)
}
