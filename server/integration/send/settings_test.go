package send_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/integration/send"
	"hew/server/outbound"
)

// Settings narrow the events of an integration: by branch, by label, and by what became of a
// pipeline. A test of the integration is not narrowed.
func TestSettingsSelect(t *testing.T) {
	t.Parallel()
	side := func(e send.Event) send.Event { e.Branch = "side"; return e }
	protected := func(e send.Event) send.Event { e.Branch, e.Protected = "side", true; return e }
	sample := func(e send.Event) send.Event { e.Branch, e.Sample = "side", true; return e }
	unchanged := func(e send.Event) send.Event { e.Unchanged = true; return e }
	same := func(e send.Event) send.Event { return e }
	for _, tt := range []struct {
		slug, event string
		of          func(send.Event) send.Event
		settings    send.Settings
		want        int // requests
	}{
		{"slack", "push_events", same, send.Settings{"branches_to_be_notified": "default"}, 1},
		{"slack", "push_events", side, send.Settings{"branches_to_be_notified": "default"}, 0},
		{"slack", "push_events", sample, send.Settings{"branches_to_be_notified": "default"}, 1},
		{"slack", "push_events", side, send.Settings{"branches_to_be_notified": "all"}, 1},
		{"slack", "push_events", side, send.Settings{"branches_to_be_notified": "protected"}, 0},
		{"slack", "push_events", protected, send.Settings{"branches_to_be_notified": "protected"}, 1},
		{"slack", "push_events", same, send.Settings{"branches_to_be_notified": "protected"}, 0},
		{"slack", "push_events", protected, send.Settings{"branches_to_be_notified": "default_and_protected"}, 1},
		{"slack", "push_events", same, send.Settings{"branches_to_be_notified": "default_and_protected"}, 1},
		{"slack", "tag_push_events", same, send.Settings{"branches_to_be_notified": "protected"}, 1},
		{"slack", "issues_events", same, send.Settings{"labels_to_be_notified": "~bug, feature"}, 1},
		{"slack", "issues_events", same, send.Settings{"labels_to_be_notified": "feature"}, 0},
		{"slack", "issues_events", same, send.Settings{
			"labels_to_be_notified": "bug,feature", "labels_to_be_notified_behavior": "match_all",
		}, 0},
		{"slack", "note_events", same, send.Settings{"labels_to_be_notified": "bug"}, 1},
		{"slack", "push_events", same, send.Settings{"labels_to_be_notified": "feature"}, 1},
		{"slack", "issues_events-updated", same, nil, 0},
		{"slack", "pipeline_events", same, send.Settings{"notify_only_broken_pipelines": true}, 1},
		{"slack", "pipeline_events-warnings", same, send.Settings{"notify_only_broken_pipelines": true}, 0},
		{"slack", "pipeline_events", side, send.Settings{"branches_to_be_notified": "default"}, 0},
		{"slack", "pipeline_events", unchanged, nil, 1},
		{"slack", "pipeline_events", unchanged, send.Settings{send.OnlyChanges: true}, 0},
		{"slack", "pipeline_events", same, send.Settings{send.OnlyChanges: true}, 1},
		{"slack", "job_events", same, nil, 0},
		{"datadog", "job_events", same, nil, 1},
		{"datadog", "job_events", same, send.Settings{"datadog_ci_visibility": false}, 0},
		{"pipelines-email", "pipeline_events", side, send.Settings{"notify_only_default_branch": true}, 0},
		{"pivotaltracker", "push_events", side, send.Settings{"restrict_to_branch": "main, release"}, 0},
		{"pivotaltracker", "push_events", same, send.Settings{"restrict_to_branch": "release, main"}, 2},
		{"datadog", "pipeline_events", same, send.Settings{"datadog_ci_visibility": false}, 0},
		{"teamcity", "push_events-deleted", same, nil, 0},
		{"redmine", "push_events", same, nil, 0},
	} {
		n := 0
		err := send.Of(tt.slug).Run(t.Context(), tt.of(event(t, tt.event)), tt.settings,
			func(context.Context, send.Request) (outbound.Answer, error) { n++; return outbound.Answer{}, nil })
		require.NoError(t, err)
		require.Equal(t, tt.want, n, "%s of %s with %v", tt.slug, tt.event, tt.settings)
	}
}
