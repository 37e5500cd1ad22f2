package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

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
	for _, args := range []string{"infra/groups infra/people", "infra/people infra/groups -format=markdown", "infra/people infra/groups -json"} {
		code, _, errs := proposed(t, plans["opened"], job(host, "CI_PROJECT_DIR="+top), strings.Fields("-comment -chdir="+top+" "+args)...)
		require.Equal(t, 1, code, errs)
	}
	require.Len(t, d.On(12, notes.Bot), 1)
	require.Contains(t, d.On(12, notes.Bot)[0].Body, "### `infra/groups`")
	require.Contains(t, d.On(12, notes.Bot)[0].Body, "### `infra/people`")
	code, _, _ := proposed(t, plans["opened"], job(host, "CI_PROJECT_DIR="+top), "-comment", "-chdir="+top+"/infra/groups")
	require.Equal(t, 1, code)
	require.Len(t, d.On(12, notes.Bot), 2)
	require.Contains(t, d.On(12, notes.Bot)[1].Body, "### hew plan: `infra/groups`")
}

// TestCommentFits: a note has a limit, whatever is to be told, and a lower one
// where it is asked for.
func TestCommentFits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ asked, most, changes int }{
		{0, defaultBudget, 10_000}, {5_000_000, defaultBudget, 10_000}, {20_000, 20_000, 1_000}, {leastBudget, leastBudget, 1_000},
	} {
		v := newPrograms(io.Discard, "plan")
		v.Plan(large(c.changes))
		text, err := (&app{env: job("https://x")}).noteText("x", signature{command: "plan", key: "0"}, form{budget: c.asked}, v.parts)
		require.NoError(t, err)
		require.LessOrEqual(t, len(text), c.most)
		require.Equal(t, 10, strings.Count(text, "`- group."))
		require.Contains(t, text, "To fit into the budget")
		_, ours := signature{command: "plan", key: "0"}.on(text)
		require.True(t, ours)
	}
}

// TestCommentIsInert: nothing in a note that anybody wrote is markup, a command or
// a call, however it is named.
func TestCommentIsInert(t *testing.T) {
	t.Parallel()
	allowed := regexp.MustCompile(`<!-- hew plan 0 -->\n$`)
	for _, s := range wicked {
		v := newPrograms(io.Discard, "plan")
		v.Plan(dangerousPlan(s))
		v.doc.Digest, v.doc.Applyable = s, true
		env := map[string]string{"CI_COMMIT_SHA": s, "CI_PIPELINE_ID": "1", "CI_PIPELINE_URL": "https://x/" + s, "CI_JOB_URL": s}
		text, err := (&app{env: env}).noteText(s, signature{command: "plan", key: "0"}, form{}, v.parts)
		require.NoError(t, err)
		left := inert(t, allowed.ReplaceAllString(text, ""))
		left = regexp.MustCompile(`\[pipeline 1\]\(https://x/[^() ]*\)`).ReplaceAllString(left, "")
		require.Empty(t, alive.FindAllString(left, -1), "%q\n%s\n%s", s, left, text)
	}
}
