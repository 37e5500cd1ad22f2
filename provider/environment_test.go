package provider

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/schema"
)

// An environment is stopped before it is deleted. If a job has to stop it, the error says what to
// wait for.
func TestEnvironmentsAreStoppedFirst(t *testing.T) {
	t.Parallel()
	for state, says := range map[string]string{"stopped": "", "stopping": "run hew apply again once the job has ended"} {
		h := serve(t, script{
			"DELETE /projects/7/environments/3":    {status: 403, body: `{"message":"must be stopped before deletion"}`},
			"POST /projects/7/environments/3/stop": {status: 200, body: `{"id":3,"name":"x","state":"` + state + `"}`},
		})
		o := declared(the(environment), "name", "x")
		o.ID = "3"
		o.Value.Set(o.Kind.Owner(), schema.RefVal(&schema.Ref{ID: "7"}))
		err := h.Delete(t.Context(), o)
		require.ErrorContains(t, err, "must be stopped before deletion")
		want := []string{"DELETE /projects/7/environments/3", "POST /projects/7/environments/3/stop"}
		if says == "" {
			want = append(want, want[0])
		} else {
			require.ErrorContains(t, err, says)
		}
		var sent []string
		for _, line := range h.wrote() {
			sent = append(sent, strings.TrimSpace(line))
		}
		require.Equal(t, want, sent, state)
	}
}

func TestTheTierFollowsFromTheName(t *testing.T) {
	t.Parallel()
	tier := the(environment).Attr("tier")
	for name, want := range map[string]string{
		"production": "production", "live": "production", "staging": "staging", "demo": "staging", "qa/1": "testing",
		"review/docs": "development", "somewhere": "other",
	} {
		require.Equal(t, want, tier.Default(declared(the(environment), "name", name)).AsString(), name)
	}
}
