package load

import (
	"context"
	"math"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/markdown"
	"hew/server/transfer/archive"
)

// reference says that a merge request refers to an issue of the project.
type reference struct {
	request int64
	iid     int64
	closes  bool      // the merge closes the issue
	at      time.Time // when the text was written: it means no later issue
}

// maxClosing limits the commits of a merge request that are read for issues that they close, the
// newest first, as where merge requests change (package merge).
const maxClosing = 100

// addReferences notes down which issues of the project the texts of a merge request refer to, and
// which of them its merge closes: its texts say so, or its commits.
func (b *batch) addReferences(request int64, m *archive.MergeRequest) {
	text := m.Title + "\n\n" + db.OrZero(m.Description)
	created, _ := span(m.CreatedAt, nil)
	at := timeOr(m.LastEditedAt, created)
	closing := map[int64]time.Time{} // when that was written
	closes := func(text string, at time.Time) {
		for _, r := range markdown.ClosingReferences(text) {
			if r.Kind == markdown.Issue && r.Path == "" && at.After(closing[r.Number]) {
				closing[r.Number] = at
			}
		}
	}
	if m.TargetBranch == b.project.Head && b.project.Settings.AutocloseReferencedIssues {
		closes(text, at)
		if d := m.MergeRequestDiff; d != nil {
			for _, c := range d.Commits[:min(maxClosing, len(d.Commits))] {
				closes(c.Message, latest(at, timeOr(d.CreatedAt, created)))
			}
		}
	}
	seen := map[int64]bool{}
	add := func(number int64) {
		if number <= math.MaxInt32 && !seen[number] {
			seen[number] = true
			closed, closes := closing[number]
			b.references = append(b.references, reference{request, number, closes, latest(at, closed)})
		}
	}
	for _, r := range markdown.References(text) {
		if r.Kind == markdown.Issue && r.Path == "" {
			add(r.Number)
		}
	}
	for number := range closing { // in code and in commits, too
		add(number)
	}
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// refer stores the references. The issues are there.
func (b *batch) refer(ctx context.Context) error {
	if len(b.references) == 0 {
		return nil
	}
	requests, iids, closes, times := []int64{}, []int64{}, []bool{}, []time.Time{}
	for _, r := range b.references {
		requests, iids, closes = append(requests, r.request), append(iids, r.iid), append(closes, r.closes)
		times = append(times, r.at)
	}
	return b.st.Exec(ctx, `
		insert into merge_request_issues (merge_request_id, issue_id, closes)
		select a.request, i.id, a.closes
		from unnest(@requests::bigint[], @iids::bigint[], @closes::boolean[], @times::timestamptz[])
		         a (request, iid, closes, at)
		     join issues i on i.project_id = @project and i.iid = a.iid and i.created_at <= a.at
		on conflict do nothing`,
		pgx.NamedArgs{"project": b.project.ID, "requests": requests, "iids": iids, "closes": closes,
			"times": times})
}
