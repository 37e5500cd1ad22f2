package provider

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"
)

func TestSchedulesAreCheckedOffline(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		attr  string
		value any
		says  string // "" accepts
	}{
		{"cron", "0 4 * * *", ""},
		{"cron", " */20  9-17 1,15 jan-jun mon#1", ""},
		{"cron", "0 4 * *", "five fields"},
		{"cron", "0 0 4 * * *", "five fields"},
		{"cron", "@daily", "five fields"},
		{"cron", "61 4 * * *", "five fields"},
		{"cron_timezone", "America/New_York", ""},
		{"cron_timezone", "Pacific Time (US & Canada)", ""},
		{"cron_timezone", "Local", "such as UTC"},
		{"cron_timezone", "", "such as UTC"},
		{"ref", "main", ""},
		{"ref", "refs/heads/feature/x", ""},
		{"ref", "refs/tags/v1.0", ""},
		{"ref", "refs/merge-requests/1/head", "not a valid branch or tag"},
		{"ref", "a..b", "not a valid branch or tag"},
		{"ref", "refs/tags/", "not a valid branch or tag"},
		{"variables", map[string]string{"A_1": ""}, ""},
		{"variables", map[string]string{"A-1": "x"}, "not a valid variable name"},
		{"file_variables", map[string]string{"A": strings.Repeat("x", 10_001)}, "more than 10000 characters"},
		{"variables", cty.MapVal(map[string]cty.Value{"A": cty.NullVal(cty.String)}), "has no value"},
	} {
		err := the(pipelineSchedule).Attr(c.attr).Accepts.Check(valueOf(c.value))
		if c.says == "" {
			require.NoError(t, err, "%s = %v", c.attr, c.value)
		} else {
			require.ErrorContains(t, err, c.says, "%s = %v", c.attr, c.value)
		}
	}
	both := declared(the(pipelineSchedule), "variables", map[string]string{"A": "1", "B": "1"},
		"file_variables", map[string]string{"B": "2"})
	require.Equal(t, "B is in variables as well; remove one of the two", both.Kind.Check(both)[0].Text)
}

// Hosts from before version 17 answer a ref as it was given, and newer ones its full name.
func TestRefsOfSchedules(t *testing.T) {
	t.Parallel()
	ref := the(pipelineSchedule).Attr("ref")
	require.True(t, ref.Equal(valueOf("main"), valueOf("refs/heads/main")))
	require.False(t, ref.Equal(valueOf("v1"), valueOf("refs/tags/v1")))
}

func TestShortTokensAreNoTokens(t *testing.T) {
	t.Parallel()
	kept := func(answer string) (token string) {
		o, err := newDecoder(the(pipelineTrigger), "7", nil).object([]byte(answer))
		require.NoError(t, err)
		v, _ := o.Get("token").Unmark()
		if v.IsNull() {
			return ""
		}
		return v.AsString()
	}
	require.Equal(t, "glptt-0123456789", kept(`{"id":1,"description":"x","token":"glptt-0123456789"}`))
	require.Empty(t, kept(`{"id":1,"description":"x","token":"glpt"}`))
}
