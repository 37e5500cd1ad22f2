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

// addReferences notes down which issues of the project the texts of a merge request refer to, and
// which of them its merge closes.
func (b *batch) addReferences(request int64, m *archive.MergeRequest) {
	text := m.Title + "\n\n" + db.OrZero(m.Description)
	created, _ := span(m.CreatedAt, nil)
	at := timeOr(m.LastEditedAt, created)
	closing := map[int64]bool{}
	if m.TargetBranch == b.project.Head && b.project.Settings.AutocloseReferencedIssues {
		for _, r := range markdown.ClosingReferences(text) {
			closing[r.Number] = r.Kind == markdown.Issue && r.Path == ""
		}
	}
	seen := map[int64]bool{}
	add := func(r markdown.Reference) {
		if r.Kind == markdown.Issue && r.Path == "" && r.Number <= math.MaxInt32 && !seen[r.Number] {
			seen[r.Number] = true
			b.references = append(b.references, reference{request, r.Number, closing[r.Number], at})
		}
	}
	for _, r := range markdown.References(text) {
		add(r)
	}
	for number, closes := range closing { // in code, too
		if closes {
			add(markdown.Reference{Kind: markdown.Issue, Number: number})
		}
	}
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
