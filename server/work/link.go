package work

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/note"
	"hew/server/tree"
)

// The types of links between issues or epics, as seen from one of them.
const (
	RelatesTo   = "relates_to"
	Blocks      = "blocks"
	IsBlockedBy = "is_blocked_by"
)

// Link is a link between two issues or two epics.
type Link struct {
	ID        int64     `db:"id"`
	SourceID  int64     `db:"source_id"`
	TargetID  int64     `db:"target_id"`
	Type      string    `db:"type"` // as seen from the source: RelatesTo, Blocks
	CreatedAt time.Time `db:"created_at"`
	UpdatedAt time.Time `db:"updated_at"`
}

// TypeFrom returns the type of the link as seen from one of its issues or epics.
func (l Link) TypeFrom(id int64) string {
	if l.Type == Blocks && l.TargetID == id {
		return IsBlockedBy
	}
	return l.Type
}

// Other returns the id of the issue or epic at the other end.
func (l Link) Other(id int64) int64 {
	if l.SourceID == id {
		return l.TargetID
	}
	return l.SourceID
}

// NoMatchingIssue returns the fault of an issue that cannot be linked or added (gaps §8).
func NoMatchingIssue() error {
	return fault.NotFound("No matching issue found. Make sure that you are adding a valid issue URL.").In(fault.Text)
}

// Linkable is an issue or epic as links see it.
type Linkable interface {
	Target() note.Target
	ReferenceFrom(path string) string
	place() string // the full path of its project or group
}

func (i Issue) place() string { return i.Path }

func (e Epic) place() string { return e.Path }

// linksOf returns the table of links of a kind.
func linksOf(kind note.Kind) string {
	return strings.ToLower(string(kind)) + "_links"
}

// LinksOf returns the links of an issue or epic, at most a thousand, in the order in which they
// were made.
func LinksOf(ctx context.Context, s *db.Store, of note.Target) ([]Link, error) {
	return db.Many[Link](ctx, s, `
		select t.* from `+linksOf(of.Kind)+` t where t.source_id = @id or t.target_id = @id order by t.id limit 1000`,
		pgx.NamedArgs{"id": of.ID})
}

// LinkIssues links one issue with another. The type is as seen from the source.
func LinkIssues(
	ctx context.Context, st *db.Store, by tree.User, source, target Issue, kind string,
) (l Link, err error) {
	if source.ID == target.ID {
		return l, NoMatchingIssue()
	}
	return link(ctx, st, by, source, target, kind)
}

// LinkEpics links one epic with another. The type is as seen from the source.
func LinkEpics(ctx context.Context, st *db.Store, by tree.User, source, target Epic, kind string) (l Link, err error) {
	if source.ID == target.ID {
		return l, NoMatchingEpic()
	}
	return link(ctx, st, by, source, target, kind)
}

// link links two things of one kind, and notes that down on both. The issues of archived projects
// are not linked.
func link(ctx context.Context, st *db.Store, by tree.User, source, target Linkable, kind string) (l Link, err error) {
	on := source.Target()
	from, to, stored := on.ID, target.Target().ID, kind
	if kind == IsBlockedBy {
		from, to, stored = to, from, Blocks
	}
	err = st.Tx(ctx, func(st *db.Store) error {
		if archived, err := isArchived(ctx, st, target); err != nil || archived {
			return cmp.Or(err, NoMatchingIssue())
		}
		l, err = db.One[Link](ctx, st, "", `
			insert into `+linksOf(on.Kind)+` (source_id, target_id, type) values (@source, @target, @type) returning *`,
			pgx.NamedArgs{"source": from, "target": to, "type": stored})
		if err != nil {
			return err
		}
		words := map[string][2]string{
			RelatesTo:   {"related to", "related to"},
			Blocks:      {"blocking", "blocked by"},
			IsBlockedBy: {"blocked by", "blocking"},
		}[kind]
		text := "marked this " + strings.ToLower(string(on.Kind)) + " as "
		return noteOnBoth(ctx, st, by, source, target, text+words[0]+" ", text+words[1]+" ")
	})
	return l, err
}

// isArchived reports whether a thing is in an archived project, so that it does not change.
func isArchived(ctx context.Context, st *db.Store, l Linkable) (bool, error) {
	return db.Value[bool](ctx, st, `select exists (select from projects where id = @project and archived)`,
		pgx.NamedArgs{"project": l.Target().ProjectID})
}

// noteOnBoth adds a note to each of two things that refers to the other one.
func noteOnBoth(
	ctx context.Context, st *db.Store, by tree.User, one, other Linkable, text, back string,
) error {
	err := note.AddSystemAbout(ctx, st, one.Target(), other.Target(), by.ID, text+other.ReferenceFrom(one.place()))
	if err != nil {
		return err
	}
	return note.AddSystemAbout(ctx, st, other.Target(), one.Target(), by.ID, back+one.ReferenceFrom(other.place()))
}

// Unlink deletes a link between two issues or two epics. Each is noted down on the other one.
func Unlink(ctx context.Context, st *db.Store, by tree.User, l Link, one, other Linkable) error {
	return st.Tx(ctx, func(st *db.Store) error {
		n, err := st.Affected(ctx, `delete from `+linksOf(one.Target().Kind)+` where id = @id`,
			pgx.NamedArgs{"id": l.ID})
		if err != nil || n == 0 {
			return err
		}
		const text = "removed the relation with "
		return noteOnBoth(ctx, st, by, one, other, text, text)
	})
}
