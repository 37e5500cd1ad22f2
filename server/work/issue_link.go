package work

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/note"
	"hew/server/tree"
)

// The types of links between issues, as seen from one of them.
const (
	RelatesTo   = "relates_to"
	Blocks      = "blocks"
	IsBlockedBy = "is_blocked_by"
)

// IssueLink is a link between two issues.
type IssueLink struct {
	ID        int64     `db:"id"`
	SourceID  int64     `db:"source_id"`
	TargetID  int64     `db:"target_id"`
	Type      string    `db:"type"` // as seen from the source: RelatesTo, Blocks
	CreatedAt time.Time `db:"created_at"`
	UpdatedAt time.Time `db:"updated_at"`
}

// TypeFrom returns the type of the link as seen from one of its issues.
func (l IssueLink) TypeFrom(issueID int64) string {
	if l.Type == Blocks && l.TargetID == issueID {
		return IsBlockedBy
	}
	return l.Type
}

// Other returns the id of the issue at the other end.
func (l IssueLink) Other(issueID int64) int64 {
	if l.SourceID == issueID {
		return l.TargetID
	}
	return l.SourceID
}

// NoMatchingIssue returns the fault of an issue that cannot be linked or added (gaps §8).
func NoMatchingIssue() error {
	return fault.NotFound("No matching issue found. Make sure that you are adding a valid issue URL.").In(fault.Text)
}

// LinksOf returns the links of an issue, at most a thousand, in the order in which they were made.
func LinksOf(ctx context.Context, s *db.Store, issueID int64) ([]IssueLink, error) {
	return db.Many[IssueLink](ctx, s, `
		select t.* from issue_links t where t.source_id = @issue or t.target_id = @issue order by t.id limit 1000`,
		pgx.NamedArgs{"issue": issueID})
}

// LinkIssues links one issue with another. The type is as seen from the source.
func LinkIssues(
	ctx context.Context, st *db.Store, by tree.User, source, target Issue, kind string,
) (l IssueLink, err error) {
	if source.ID == target.ID {
		return l, NoMatchingIssue()
	}
	from, to, stored := source.ID, target.ID, kind
	if kind == IsBlockedBy {
		from, to, stored = to, from, Blocks
	}
	err = st.Tx(ctx, func(st *db.Store) error {
		l, err = db.One[IssueLink](ctx, st, "", `
			insert into issue_links (source_id, target_id, type) values (@source, @target, @type) returning *`,
			pgx.NamedArgs{"source": from, "target": to, "type": stored})
		if err != nil {
			return err
		}
		words := map[string][2]string{
			RelatesTo:   {"related to", "related to"},
			Blocks:      {"blocking", "blocked by"},
			IsBlockedBy: {"blocked by", "blocking"},
		}[kind]
		err = note.AddSystemAbout(ctx, st, source.Target(), target.Target(), by.ID,
			"marked this issue as "+words[0]+" "+target.ReferenceFrom(source.Path))
		if err != nil {
			return err
		}
		return note.AddSystemAbout(ctx, st, target.Target(), source.Target(), by.ID,
			"marked this issue as "+words[1]+" "+source.ReferenceFrom(target.Path))
	})
	return l, err
}

// UnlinkIssues deletes a link between two issues. Each is noted down on the other.
func UnlinkIssues(ctx context.Context, st *db.Store, by tree.User, l IssueLink, one, other Issue) error {
	return st.Tx(ctx, func(st *db.Store) error {
		if err := st.Exec(ctx, `delete from issue_links where id = @id`, pgx.NamedArgs{"id": l.ID}); err != nil {
			return err
		}
		const text = "removed the relation with "
		err := note.AddSystemAbout(ctx, st, one.Target(), other.Target(), by.ID, text+other.ReferenceFrom(one.Path))
		if err != nil {
			return err
		}
		return note.AddSystemAbout(ctx, st, other.Target(), one.Target(), by.ID, text+one.ReferenceFrom(other.Path))
	})
}
