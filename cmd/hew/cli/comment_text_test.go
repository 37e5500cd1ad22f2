package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/reconcile/report/reporttest"
	"hew/testacc/notes"
)

// TestCommentOfSeveral: several directories have one note, in any order.
func TestCommentOfSeveral(t *testing.T) {
	t.Parallel()
	d, host := newDesk(t)
	top := t.TempDir()
	for _, dir := range []string{"infra/groups", "infra/people"} {
		require.NoError(t, os.MkdirAll(filepath.Join(top, dir), 0o755))
	}
	for _, args := range []string{"infra/groups infra/people", "infra/people infra/groups -format=markdown",
		"infra/people infra/groups -json"} {
		code, _, errs := proposed(t, reporttest.Plans["opened"], job(host, "CI_PROJECT_DIR="+top),
			strings.Fields("-comment -chdir="+top+" "+args)...)
		require.Equal(t, 1, code, errs)
	}
	require.Len(t, d.On(12, notes.Bot), 1)
	require.Contains(t, d.On(12, notes.Bot)[0].Body, "### `infra/groups`")
	require.Contains(t, d.On(12, notes.Bot)[0].Body, "### `infra/people`")
	code, _, _ := proposed(
		t, reporttest.Plans["opened"], job(host, "CI_PROJECT_DIR="+top), "-comment", "-chdir="+top+"/infra/groups",
	)
	require.Equal(t, 1, code)
	require.Len(t, d.On(12, notes.Bot), 2)
	require.Contains(t, d.On(12, notes.Bot)[1].Body, "### hew plan: `infra/groups`")
}
