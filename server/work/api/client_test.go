package api_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	gitlab "gitlab.com/gitlab-org/api/client-go"

	"hew/server/servertest"
)

// driven is what the calls of TestClientLibrary have made so far.
type driven struct {
	group, project string
	issue, other   *gitlab.Issue
	epic           *gitlab.Epic
	milestone      *gitlab.Milestone
	note           *gitlab.Note
	discussion     *gitlab.Discussion
}

// answered keeps what a call returned.
func answered[T any](keep *T) func(T, *gitlab.Response, error) (any, *gitlab.Response, error) {
	return func(v T, r *gitlab.Response, err error) (any, *gitlab.Response, error) {
		*keep = v
		return v, r, err
	}
}

// empty is the answer of a call that returns nothing.
func empty(r *gitlab.Response, err error) (any, *gitlab.Response, error) { return nil, r, err }

func day(year int, month time.Month, day int) gitlab.ISOTime {
	return gitlab.ISOTime(time.Date(year, month, day, 0, 0, 0, 0, time.UTC))
}

// TestClientLibrary drives the domain with the client library that most Go programs use: it sends
// what it documents, and reads the answers.
func TestClientLibrary(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	alice, bob := s.User(t, "client-alice"), s.User(t, "client-bob")
	newClient := func(p servertest.Persona) *gitlab.Client {
		c, err := gitlab.NewClient(p.Token, gitlab.WithBaseURL(s.URL), gitlab.WithoutRetries())
		require.NoError(t, err)
		return c
	}
	c, c2 := newClient(alice), newClient(bob)
	d := driven{group: "client-group", project: "client-group/site"}
	g, _, err := c.Groups.CreateGroup(&gitlab.CreateGroupOptions{Name: new("Client"), Path: &d.group})
	require.NoError(t, err)
	_, _, err = c.Projects.CreateProject(&gitlab.CreateProjectOptions{
		Name: new("site"), NamespaceID: &g.ID, InitializeWithReadme: new(true),
	})
	require.NoError(t, err)
	_, _, err = c.GroupMembers.AddGroupMember(d.group, &gitlab.AddGroupMemberOptions{
		UserID: &bob.ID, AccessLevel: new(gitlab.DeveloperPermissions),
	})
	require.NoError(t, err)

	for _, step := range []struct {
		name   string
		status int
		call   func() (any, *gitlab.Response, error)
		want   string // a part of the answer as the library has read it
	}{
		{"create label", 201, func() (any, *gitlab.Response, error) {
			return c.Labels.CreateLabel(d.project, &gitlab.CreateLabelOptions{Name: new("bug"), Color: new("#ff0000")})
		}, `"name":"bug"`},
		{"update label", 200, func() (any, *gitlab.Response, error) {
			return c.Labels.UpdateLabel(d.project, "bug", &gitlab.UpdateLabelOptions{Description: new("Broken")})
		}, `"description":"Broken"`},
		{"subscribe to label", 201, func() (any, *gitlab.Response, error) {
			return c.Labels.SubscribeToLabel(d.project, "bug")
		}, `"subscribed":true`},
		{"list labels", 200, func() (any, *gitlab.Response, error) {
			return c.Labels.ListLabels(d.project, &gitlab.ListLabelsOptions{WithCounts: new(true)})
		}, `"name":"bug"`},
		{"create milestone", 201, func() (any, *gitlab.Response, error) {
			return answered(&d.milestone)(c.Milestones.CreateMilestone(d.project, &gitlab.CreateMilestoneOptions{
				Title: new("1.0"), DueDate: new(day(2030, 1, 2)),
			}))
		}, `"due_date":"2030-01-02"`},
		{"create issue", 201, func() (any, *gitlab.Response, error) {
			return answered(&d.issue)(c.Issues.CreateIssue(d.project, &gitlab.CreateIssueOptions{
				Title: new("Broken"), Description: new("- [ ] mend @client-bob"), MilestoneID: &d.milestone.ID,
				Labels: &gitlab.LabelOptions{"bug"}, AssigneeIDs: &[]int64{bob.ID}, DueDate: new(day(2030, 1, 1)),
				Weight: new(int64(3)),
			}))
		}, `"labels":["bug"]`},
		{"create another issue", 201, func() (any, *gitlab.Response, error) {
			return answered(&d.other)(c.Issues.CreateIssue(d.project, &gitlab.CreateIssueOptions{Title: new("Other")}))
		}, `"title":"Other"`},
		{"get issue", 200, func() (any, *gitlab.Response, error) { return c.Issues.GetIssue(d.project, 1) }, `"weight":3`},
		{"list issues", 200, func() (any, *gitlab.Response, error) {
			return c.Issues.ListProjectIssues(d.project, &gitlab.ListProjectIssuesOptions{
				Labels: &gitlab.LabelOptions{"bug"}, Milestone: new("1.0"), AssigneeID: gitlab.AssigneeID(bob.ID),
				State: new("opened"), OrderBy: new("due_date"), Search: new("broken"),
			})
		}, `"title":"Broken"`},
		{"list issues of the group", 200, func() (any, *gitlab.Response, error) {
			return c.Issues.ListGroupIssues(d.group, &gitlab.ListGroupIssuesOptions{Scope: new("all")})
		}, `"relative":"site#1"`},
		{"list issues of the milestone", 200, func() (any, *gitlab.Response, error) {
			return c.Milestones.GetMilestoneIssues(d.project, d.milestone.ID, nil)
		}, `"title":"Broken"`},
		{"update issue", 200, func() (any, *gitlab.Response, error) {
			return c.Issues.UpdateIssue(d.project, 1, &gitlab.UpdateIssueOptions{
				Confidential: new(false), AddLabels: &gitlab.LabelOptions{"new"}, DiscussionLocked: new(false),
			})
		}, `"labels":["bug","new"]`},
		{"reorder issue", 200, func() (any, *gitlab.Response, error) {
			return c.Issues.ReorderIssue(d.project, 1, &gitlab.ReorderIssueOptions{MoveAfterID: &d.other.ID})
		}, `"iid":1`},
		{"estimate", 200, func() (any, *gitlab.Response, error) {
			return c.Issues.SetTimeEstimate(d.project, 1, &gitlab.SetTimeEstimateOptions{Duration: new("3h30m")})
		}, `"human_time_estimate":"3h 30m"`},
		{"spend time", 201, func() (any, *gitlab.Response, error) {
			return c.Issues.AddSpentTime(d.project, 1, &gitlab.AddSpentTimeOptions{Duration: new("1h")})
		}, `"total_time_spent":3600`},
		{"list participants", 200, func() (any, *gitlab.Response, error) {
			return c.Issues.GetParticipants(d.project, 1)
		}, `"username":"client-bob"`},
		{"link issues", 201, func() (any, *gitlab.Response, error) {
			return c.IssueLinks.CreateIssueLink(d.project, 1, &gitlab.CreateIssueLinkOptions{
				TargetProjectID: &d.project, TargetIssueIID: new("2"), LinkType: new("relates_to"),
			})
		}, `"link_type":"relates_to"`},
		{"create note", 201, func() (any, *gitlab.Response, error) {
			return answered(&d.note)(c.Notes.CreateIssueNote(d.project, 1, &gitlab.CreateIssueNoteOptions{Body: new("Hm")}))
		}, `"body":"Hm"`},
		{"update note", 200, func() (any, *gitlab.Response, error) {
			return c.Notes.UpdateIssueNote(d.project, 1, d.note.ID, &gitlab.UpdateIssueNoteOptions{Body: new("Yes")})
		}, `"body":"Yes"`},
		{"list notes", 200, func() (any, *gitlab.Response, error) {
			return c.Notes.ListIssueNotes(d.project, 1, &gitlab.ListIssueNotesOptions{Sort: new("asc")})
		}, `"noteable_type":"Issue"`},
		{"create discussion", 201, func() (any, *gitlab.Response, error) {
			return answered(&d.discussion)(c.Discussions.CreateIssueDiscussion(d.project, 1,
				&gitlab.CreateIssueDiscussionOptions{Body: new("Why?")}))
		}, `"individual_note":false`},
		{"reply", 201, func() (any, *gitlab.Response, error) {
			return c.Discussions.AddIssueDiscussionNote(d.project, 1, d.discussion.ID,
				&gitlab.AddIssueDiscussionNoteOptions{Body: new("So")})
		}, `"type":"DiscussionNote"`},
		{"react", 201, func() (any, *gitlab.Response, error) {
			return c.AwardEmoji.CreateIssueAwardEmoji(d.project, 1, &gitlab.CreateAwardEmojiOptions{Name: "star"})
		}, `"awardable_type":"Issue"`},
		{"list to-dos of bob", 200, func() (any, *gitlab.Response, error) {
			return c2.Todos.ListTodos(&gitlab.ListTodosOptions{Type: new("Issue")})
		}, `"action_name":"assigned"`},
		{"make a to-do", 201, func() (any, *gitlab.Response, error) { return c.Issues.CreateTodo(d.project, 2) },
			`"action_name":"marked"`},
		{"finish all to-dos", 204, func() (any, *gitlab.Response, error) { return empty(c2.Todos.MarkAllTodosAsDone()) }, ""},
		{"label events", 200, func() (any, *gitlab.Response, error) {
			return c.ResourceLabelEvents.ListIssueLabelEvents(d.project, 1, nil)
		}, `"action":"add"`},
		{"create epic", 201, func() (any, *gitlab.Response, error) {
			return answered(&d.epic)(c.Epics.CreateEpic(d.group, &gitlab.CreateEpicOptions{
				Title: new("Plan"), Labels: &gitlab.LabelOptions{"big"}, StartDateIsFixed: new(true),
				StartDateFixed: new(day(2029, 12, 1)),
			}))
		}, `"start_date":"2029-12-01"`},
		{"add issue to epic", 201, func() (any, *gitlab.Response, error) {
			return c.EpicIssues.AssignEpicIssue(d.group, d.epic.IID, d.issue.ID)
		}, `"title":"Plan"`},
		{"list issues of epic", 200, func() (any, *gitlab.Response, error) {
			return c.EpicIssues.ListEpicIssues(d.group, d.epic.IID, nil)
		}, `"title":"Broken"`},
		{"note on epic", 201, func() (any, *gitlab.Response, error) {
			return c.Notes.CreateEpicNote(d.group, d.epic.ID, &gitlab.CreateEpicNoteOptions{Body: new("Soon")})
		}, `"noteable_type":"Epic"`},
		{"close epic", 200, func() (any, *gitlab.Response, error) {
			return c.Epics.UpdateEpic(d.group, d.epic.IID, &gitlab.UpdateEpicOptions{StateEvent: new("close")})
		}, `"state":"closed"`},
		{"commit on a branch", 201, func() (any, *gitlab.Response, error) {
			return c.Commits.CreateCommit(d.project, &gitlab.CreateCommitOptions{
				Branch: new("mend"), StartBranch: new("main"), CommitMessage: new("Mend it"),
				Actions: []*gitlab.CommitActionOptions{{
					Action: gitlab.Ptr(gitlab.FileCreate), FilePath: new("a.txt"), Content: new("a"),
				}},
			})
		}, `"title":"Mend it"`},
		{"create merge request", 201, func() (any, *gitlab.Response, error) {
			return c.MergeRequests.CreateMergeRequest(d.project, &gitlab.CreateMergeRequestOptions{
				Title: new("Mend"), Description: new("Closes #1"), SourceBranch: new("mend"), TargetBranch: new("main"),
				Labels: &gitlab.LabelOptions{"bug"}, ReviewerIDs: &[]int64{bob.ID}, MilestoneID: &d.milestone.ID,
			})
		}, `"state":"opened"`},
		{"list merge requests", 200, func() (any, *gitlab.Response, error) {
			return c.MergeRequests.ListProjectMergeRequests(d.project, &gitlab.ListProjectMergeRequestsOptions{
				Labels: &gitlab.LabelOptions{"bug"},
			})
		}, `"source_branch":"mend"`},
		{"note on merge request", 201, func() (any, *gitlab.Response, error) {
			return c.Notes.CreateMergeRequestNote(d.project, 1, &gitlab.CreateMergeRequestNoteOptions{Body: new("Good")})
		}, `"noteable_type":"MergeRequest"`},
		{"merge", 200, func() (any, *gitlab.Response, error) {
			return c.MergeRequests.AcceptMergeRequest(d.project, 1, nil) // sends null
		}, `"state":"merged"`},
		{"issue that the merge closed", 200, func() (any, *gitlab.Response, error) {
			return c.Issues.GetIssue(d.project, 1)
		}, `"state":"closed"`},
		{"delete issue", 204, func() (any, *gitlab.Response, error) { return empty(c.Issues.DeleteIssue(d.project, 2)) }, ""},
	} {
		v, r, err := step.call()
		require.NoError(t, err, step.name)
		require.Equal(t, step.status, r.StatusCode, step.name)
		text, err := json.Marshal(v)
		require.NoError(t, err)
		if step.want != "" {
			require.Contains(t, string(text), step.want, step.name)
		}
	}
}
