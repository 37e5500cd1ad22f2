package report

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBlockedCauses: a waiting object is listed with its cause, also if it waits for another
// waiting object.
func TestBlockedCauses(t *testing.T) {
	t.Parallel()
	all := []Blocked{{Address: "group.a", Why: "403 Forbidden"}, {Address: "group.b", Why: "x", By: []string{"data.c"}},
		{Address: "project.a", By: []string{"group.a"}}}
	for i := range 12 {
		all = append(all, Blocked{Address: fmt.Sprintf("hook.h[%d]", i), By: []string{"project.a"}})
	}
	causes := BlockedCauses(all)
	require.Len(t, causes, 2)
	require.Len(t, causes[0].Waiting, 13)
	require.Equal(t, "Blocks 13 other objects: project.a, hook.h[0], hook.h[1], hook.h[2], hook.h[3], hook.h[4], "+
		"hook.h[5], hook.h[6], hook.h[7], hook.h[8], 3 more.", causes[0].Sentences()[1])
	require.Equal(t, []string{"X.", "Blocked by data.c."}, causes[1].Sentences())
	require.Equal(t, "15 objects (2 causes)", BlockedCount(all))
	require.Equal(t, "1 object", BlockedCount(all[:1]))
}

// TestCheckHeadline: passed checks are not in the headline.
func TestCheckHeadline(t *testing.T) {
	t.Parallel()
	for status, want := range map[string]string{"pass": "", "fail": "check.a failed",
		"error": "check.a could not be evaluated", "unknown": "check.a is not known until apply"} {
		require.Equal(t, want, Check{Name: "check.a", Status: status}.Headline())
	}
}
