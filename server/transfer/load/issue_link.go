package load

import (
	"bytes"
	"context"
	"iter"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/transfer/archive"
)

// IssueLinks names the checkpoint of the links between issues. They are stored when all issues are,
// from the same documents.
const IssueLinks = "issues/links"

// IssueLinkLines returns the issues of an archive that have links to others.
func IssueLinkLines(a *archive.Archive) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		for line, err := range a.Lines("issues") {
			if err != nil || !bytes.Contains(line.Data, []byte(`"issue_links":[{`)) {
				continue // what cannot be read is a failure of the issues already
			}
			i, err := archive.Decode[archive.Issue](line)
			if err == nil && !yield(Document{Line: line.Number, Size: len(line.Data), Value: &i}, nil) {
				return
			}
		}
	}
}

// storeIssueLinks stores the links of issues to others of the project.
func storeIssueLinks(ctx context.Context, b *batch, documents []Document) error {
	var from, to []int64
	var kinds []string
	var made, changed []time.Time
	err := each(b, documents, func(_ Document, i *archive.Issue) error {
		for _, l := range i.Links {
			if l.TargetIID != i.IID {
				from, to = append(from, i.IID), append(to, l.TargetIID)
				created, updated := span(l.CreatedAt, l.UpdatedAt)
				made, changed = append(made, created), append(changed, updated)
				kinds = append(kinds, oneOf(l.LinkType, "relates_to", "blocks").(string))
			}
		}
		return nil
	})
	if err != nil || len(from) == 0 {
		return err
	}
	return b.st.Exec(ctx, `
		insert into issue_links (source_id, target_id, type, created_at, updated_at)
		select s.id, t.id, a.type, a.made, a.changed
		from unnest(@from::bigint[], @to::bigint[], @types::text[], @made::timestamptz[], @changed::timestamptz[])
		         with ordinality a (source, target, type, made, changed, n)
		     join issues s on s.project_id = @project and s.iid = a.source
		     join issues t on t.project_id = @project and t.iid = a.target
		order by a.made, a.n
		on conflict do nothing`,
		pgx.NamedArgs{"project": b.project.ID, "from": from, "to": to, "types": kinds, "made": made,
			"changed": changed})
}
