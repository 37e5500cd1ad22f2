package mapping

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/forge/bitbucketserver"
	"hew/server/forge/github"
	"hew/server/transfer/archive"
)

var (
	at   = time.Date(2024, 5, 1, 10, 0, 0, 0, time.UTC)
	late = at.Add(time.Hour)
	gh   = GitHub{People: People{"ann": {ID: 7, Username: "ann.lee"}}, FullName: "acme/site"}
	ann  = &github.User{ID: 1, Login: "Ann"}
	bob  = &github.User{ID: 2, Login: "bob"}
)

func TestQuoteMentions(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a\x00b @ann": "ab `@ann`", "a\xff `@ann`": "a\uFFFD `@ann`",
	} {
		require.Equal(t, want, quoteMentions(text), text)
	}
}

func TestTitles(t *testing.T) {
	t.Parallel()
	require.Equal(t, strings.Repeat("ä", 255), cutTitle(strings.Repeat("ä", 300)))
	require.Equal(t, "(no title)", cutTitle(" \x00 "))
	require.Equal(t, "Draft: new", draftTitle("new", true))
	require.Equal(t, "draft: new", draftTitle("draft: new", true))
	require.Equal(t, "new", draftTitle("new", false))
}

func TestPlaceInHunk(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		hunk     string
		old, now int // 0: none
		ok       bool
	}{
		{"@@ -1,2 +1,3 @@ func\n a\n+b", 0, 2, true},
		{"@@ -1,2 +1,3 @@\n a\n-b", 2, 0, true},
		{"@@ -10,2 +20,3 @@\n a\n-b\n+c\n\n d", 13, 23, true},
		{"@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b", 0, 1, true},
		{"@@ -1 +1 @@", 0, 0, false},
		{"", 0, 0, false},
		{"@@ -x +1 @@\n+a", 0, 0, false},
		{"@@ -1 +99999999999999999999 @@\n+a", 0, 0, false},
		{"diff --git\n+a", 0, 0, false},
		{"@@ -1 +1 @@\n?a", 0, 0, false},
	} {
		got, ok := lastLineOfHunk(tt.hunk)
		require.Equal(t, tt.ok, ok, tt.hunk)
		value := func(n *int) int {
			if n == nil {
				return 0
			}
			return *n
		}
		require.Equal(t, []int{tt.old, tt.now}, []int{value(got.old), value(got.new)}, tt.hunk)
	}
}

func TestIssue(t *testing.T) {
	t.Parallel()
	doc := gh.Issue(github.Issue{
		Number: 3, Title: "Broken", Body: "ask @bob", State: "closed", User: nil, Assignees: []github.User{*ann, *bob},
		Labels: []github.Label{{Name: "bug", Color: "ff0000"}}, Milestone: &github.Milestone{Number: 1, Title: "v1"},
		CreatedAt: at, UpdatedAt: late,
	}, []github.Comment{
		{ID: 2, Body: "second", User: bob, CreatedAt: late}, {ID: 1, Body: "first", User: ann, CreatedAt: at},
	}, []github.Event{
		{Event: "labeled", Actor: ann, CreatedAt: at, Label: &github.Label{Name: "bug"}},
		{Event: "labeled", Actor: ann, CreatedAt: at},
		{Event: "renamed", Actor: bob, CreatedAt: at.Add(time.Minute), Rename: &github.Rename{From: "a*", To: "b"}},
		{Event: "assigned", Actor: ann, CreatedAt: at.Add(2 * time.Minute), Assignee: ann},
		{Event: "closed", Actor: ann, CreatedAt: late}, {Event: "pinned", Actor: ann, CreatedAt: late},
	})
	require.Equal(t, "*Created by: ghost*\n\nask `@bob`", *doc.Description)
	require.Nil(t, doc.AuthorID)
	require.Equal(t, archive.Word("closed"), doc.State)
	require.Equal(t, late, *doc.ClosedAt)
	require.Equal(t, int64(7), *doc.ClosedByID)
	require.Equal(t, []archive.UserLink{{UserID: new(int64(7))}}, doc.IssueAssignees)
	require.Equal(t, "#ff0000", doc.LabelLinks[0].Label.Color)
	require.Len(t, doc.ResourceLabelEvents, 1)
	require.Len(t, doc.ResourceStateEvents, 1)
	var notes []string
	for _, n := range doc.Notes {
		notes = append(notes, n.Note)
	}
	require.Equal(t, []string{
		"first", `changed title from **a\*** to **b** (*by bob*)`, "assigned to @ann.lee",
		"*Created by: bob*\n\nsecond",
	}, notes)
}

func TestPullBranches(t *testing.T) {
	t.Parallel()
	ours, fork := &github.Repository{ID: 1}, &github.Repository{ID: 2, Owner: bob}
	base := github.PullRef{Ref: "main", Repo: ours}
	for want, head := range map[string]github.PullRef{
		"feature":                   {Ref: "feature", Repo: ours},
		"main-9":                    {Ref: "main", Repo: ours},
		"github/fork/bob/main":      {Ref: "main", Repo: fork},
		"github/fork/Ann/feature":   {Ref: "feature", User: ann},
		"github/fork/ghost/feature": {Ref: "feature"},
	} {
		require.Equal(t, want, SourceBranch(github.Pull{Number: 9, Head: head, Base: base}))
	}
}

func TestMergeRequest(t *testing.T) {
	t.Parallel()
	doc := gh.MergeRequest(PullParts{
		Pull: github.Pull{
			Number: 4, Title: "Add", State: "closed", User: ann, MergedAt: &late, MergeCommitSHA: new("c0ffee"),
			Head: github.PullRef{Ref: "feature", SHA: "aa"}, Base: github.PullRef{Ref: "main", SHA: "bb"},
			Draft: true, CreatedAt: at, UpdatedAt: late,
		},
		MergedBy: bob, Labels: []github.Label{{Name: "new"}}, Requested: []github.User{*ann, *bob},
		Reviews: []github.Review{
			{User: ann, State: "APPROVED", SubmittedAt: &at},
			{User: bob, State: "APPROVED", SubmittedAt: &at},
			{User: ann, State: "CHANGES_REQUESTED", Body: "no @bob", SubmittedAt: &late},
			{User: ann, State: "PENDING", Body: "draft"},
		},
		ReviewComments: []github.ReviewComment{
			{ID: 1, Body: "why", User: ann, Path: "a.go", DiffHunk: "@@ -1 +1,2 @@\n a\n+b", OriginalCommitID: "aa",
				CreatedAt: at},
			{ID: 2, InReplyTo: 1, Body: "so", User: ann, Path: "a.go", CreatedAt: late},
			{ID: 3, Body: "gone", User: ann, Path: "x`y.go", OriginalLine: new(5), CreatedAt: late},
		},
	})
	require.Equal(t, archive.Word("merged"), doc.State)
	require.Equal(t, "Draft: Add", doc.Title)
	require.Equal(t, "*Merged by: bob*", *doc.Description)
	require.Equal(t, "c0ffee", *doc.MergeCommitSHA)
	require.Equal(t, "new", doc.LabelLinks[0].Label.Title)
	require.Equal(t, []archive.UserLink{{UserID: new(int64(7)), CreatedAt: &at}}, doc.Approvals)
	require.Equal(t, []archive.Reviewer{{UserID: new(int64(7)), State: "requested_changes", CreatedAt: &late}},
		doc.MergeRequestReviewers)
	var notes []string
	for _, n := range doc.Notes {
		kind := "note"
		if n.Type != nil {
			kind = *n.Type
		}
		notes = append(notes, kind+": "+n.Note)
	}
	require.Equal(t, []string{
		"note: approved this merge request", "note: *Created by: bob*\n\n**Review:** Approved", "DiffNote: why",
		"note: **Review:** Changes requested\n\nno `@bob`", "DiffNote: so",
		"DiscussionNote: *Comment on `x'y.go:5`*\n\ngone",
	}, notes)
	require.Equal(t, doc.Notes[2].DiscussionID, doc.Notes[4].DiscussionID)
	require.Equal(t, doc.Notes[2].Position, doc.Notes[4].Position)
	at, err := archive.DecodePosition(doc.Notes[2].Position)
	require.NoError(t, err)
	require.Equal(t, []any{"aa", (*int)(nil), 2}, []any{at.HeadSHA, at.OldLine, *at.NewLine})
}

func TestBaseDocuments(t *testing.T) {
	t.Parallel()
	_, ok := gh.Release(github.Release{}, at)
	require.False(t, ok)
	r, ok := gh.Release(github.Release{TagName: new("v1"), Draft: true, Author: ann, CreatedAt: at}, late)
	require.True(t, ok)
	require.Equal(t, []any{"v1", "Release for tag v1", late}, []any{*r.Name, *r.Description, *r.ReleasedAt})
	require.Equal(t, "2024-05-01", *gh.Milestone(github.Milestone{Title: "v1", DueOn: &at}).DueDate)
	for role, level := range roles {
		m, ok, err := gh.Member(github.Collaborator{Login: "ann", RoleName: role})
		require.NoError(t, err)
		require.Equal(t, []any{true, level, int64(7)}, []any{ok, m.AccessLevel, *m.UserID})
	}
	_, ok, err := gh.Member(github.Collaborator{Login: "bob", RoleName: "read"})
	require.False(t, ok)
	require.NoError(t, err)
	_, _, err = gh.Member(github.Collaborator{Login: "ann", RoleName: "chef"})
	require.EqualError(t, err, `invalid: ann has the custom role "chef", which has no access level`)
	open := gh.ProtectedBranch("main", github.Protection{})
	require.Equal(t, []int{40, 40}, []int{*open.PushAccessLevels[0].AccessLevel, *open.MergeAccessLevels[0].AccessLevel})
}

func TestBitbucketServer(t *testing.T) {
	t.Parallel()
	b := BitbucketServer{People: People{"ann@example.com": {ID: 7, Username: "ann"}}}
	ann := bitbucketserver.User{Name: "ann", Email: "Ann@example.com"}
	bob := bitbucketserver.User{Name: "bob", DisplayName: "Bob B", Email: "bob@example.com"}
	ms := bitbucketserver.Time{Time: at}
	doc := b.MergeRequest(bitbucketserver.Pull{
		ID: 5, Title: "Add", Description: "by @bob", State: "MERGED", Author: bitbucketserver.Participant{User: bob},
		Reviewers: []bitbucketserver.Participant{{User: ann, Approved: true}}, CreatedDate: ms,
		From: bitbucketserver.Ref{ID: "refs/heads/feature", LatestCommit: "aa"},
		To:   bitbucketserver.Ref{ID: "refs/heads/main", LatestCommit: "bb"},
	}, []bitbucketserver.Activity{
		{Action: "MERGED", User: ann, CreatedDate: ms, Commit: &bitbucketserver.Commit{ID: "cc"}},
		{Action: "APPROVED", User: bob, CreatedDate: ms}, {Action: "APPROVED", User: ann, CreatedDate: ms},
		{Action: "COMMENTED", User: ann, Comment: &bitbucketserver.Comment{
			ID: 1, Text: "one", Author: ann, CreatedDate: ms, Comments: []bitbucketserver.Comment{
				{ID: 2, Text: "two", Author: ann, CreatedDate: ms, Comments: []bitbucketserver.Comment{
					{ID: 3, Text: "three", Author: bob, CreatedDate: ms}}}},
		}, Anchor: &bitbucketserver.Anchor{Path: "a.go", Line: 2, LineType: "ADDED", FromHash: "bb", ToHash: "aa"}},
		{Action: "COMMENTED", User: ann,
			Comment: &bitbucketserver.Comment{ID: 4, Text: "plain", Author: ann, CreatedDate: ms},
			Anchor:  &bitbucketserver.Anchor{Path: "a.go", Line: 2, LineType: "CONTEXT"}},
		{Action: "OPENED", User: bob},
	})
	require.Equal(t, "*By Bob B (bob@example.com)*\n\nby `@bob`", *doc.Description)
	require.Equal(t, []string{"feature", "main", "merged", "cc"},
		[]string{doc.SourceBranch, doc.TargetBranch, string(doc.State), *doc.MergeCommitSHA})
	require.Len(t, doc.Approvals, 1)
	require.Equal(t, archive.Word("approved"), doc.MergeRequestReviewers[0].State)
	var notes []string
	for _, n := range doc.Notes {
		notes = append(notes, n.Note)
	}
	require.Equal(t, []string{
		"*Comment on `a.go:2`*\n\nplain", "one", "two", "> two\n\n*By Bob B (bob@example.com)*\n\nthree",
		"approved this merge request", "*By Bob B (bob@example.com)*\n\n**Review:** Approved",
	}, notes)
}
