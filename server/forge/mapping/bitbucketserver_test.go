package mapping

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/forge/bitbucketserver"
)

// An approval counts as long as it is not withdrawn, by the history or by what a reviewer says now.
func TestWithdrawnApprovals(t *testing.T) {
	t.Parallel()
	b := BitbucketServer{People: People{"ann@example.com": {ID: 7, Username: "ann"}}}
	ann := bitbucketserver.User{Name: "ann", Email: "ann@example.com"}
	for _, tt := range []struct {
		name      string
		actions   []string // the newest first
		reviewers []bitbucketserver.Participant
		approvals int
		state     string
	}{
		{"approved", []string{"APPROVED"}, []bitbucketserver.Participant{{User: ann, Approved: true}}, 1, "approved"},
		{"approved by a former reviewer", []string{"APPROVED"}, nil, 1, "approved"},
		{"withdrawn", []string{"UNAPPROVED", "APPROVED"}, nil, 0, "unreviewed"},
		{"again", []string{"APPROVED", "UNAPPROVED", "APPROVED"},
			[]bitbucketserver.Participant{{User: ann, Approved: true}}, 1, "approved"},
		{"reset by a push", []string{"RESCOPED", "APPROVED"}, []bitbucketserver.Participant{{User: ann}}, 0, "unreviewed"},
		{"needs work", []string{"REVIEWED", "APPROVED"},
			[]bitbucketserver.Participant{{User: ann, Status: "NEEDS_WORK"}}, 0, "requested_changes"},
	} {
		var activities []bitbucketserver.Activity
		for _, action := range tt.actions {
			activities = append(activities, bitbucketserver.Activity{Action: action, User: ann})
		}
		doc := b.MergeRequest(bitbucketserver.Pull{ID: 1, State: "OPEN", Reviewers: tt.reviewers}, activities)
		require.Len(t, doc.Approvals, tt.approvals, tt.name)
		require.Equal(t, tt.state, string(doc.MergeRequestReviewers[0].State), tt.name)
	}
}
