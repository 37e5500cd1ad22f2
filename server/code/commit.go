package code

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"golang.org/x/text/encoding/htmlindex"

	"hew/server/db"
	"hew/server/git/object"
)

// Commit is a row of commits, with texts as UTF-8 whatever the commit object has.
type Commit struct {
	RowID          int64     `db:"id,auto"`
	ID             object.ID `db:"oid"`
	Tree           object.ID `db:"tree"`
	Parents        Parents   `db:"parents"`
	AuthorName     string    `db:"author_name"`
	AuthorEmail    string    `db:"author_email"`
	AuthoredAt     time.Time `db:"authored_at"`
	AuthoredZone   int16     `db:"authored_zone"` // minutes east of UTC
	CommitterName  string    `db:"committer_name"`
	CommitterEmail string    `db:"committer_email"`
	CommittedAt    time.Time `db:"committed_at"`
	CommittedZone  int16     `db:"committed_zone"`
	Message        string    `db:"message"`
}

// Authored returns the time of the author, in the author's zone.
func (c Commit) Authored() time.Time { return inZone(c.AuthoredAt, c.AuthoredZone) }

// Committed returns the time of the committer, in the committer's zone.
func (c Commit) Committed() time.Time { return inZone(c.CommittedAt, c.CommittedZone) }

// Title returns the first line of the message.
func (c Commit) Title() string { return object.Title(c.Message) }

func inZone(t time.Time, minutes int16) time.Time {
	if minutes == 0 {
		return t.UTC()
	}
	return t.In(time.FixedZone("", int(minutes)*60))
}

// Parents are the parents of a commit: a column with their ids, one after the other.
type Parents []object.ID

// ScanBytes reads the column.
func (p *Parents) ScanBytes(raw []byte) error {
	*p = make(Parents, 0, len(raw)/object.IDSize)
	for ; len(raw) > 0; raw = raw[object.IDSize:] {
		id, err := object.IDFrom(raw[:min(object.IDSize, len(raw))])
		if err != nil {
			return err
		}
		*p = append(*p, id)
	}
	return nil
}

// BytesValue returns the column.
func (p Parents) BytesValue() ([]byte, error) {
	raw := make([]byte, 0, len(p)*object.IDSize)
	for _, id := range p {
		raw = append(raw, id[:]...)
	}
	return raw, nil
}

// commitColumns are the columns of Commit; the table is called c.
const commitColumns = `c.id, c.oid, c.tree, c.parents, c.author_name, c.author_email, c.authored_at, c.authored_zone,
	       c.committer_name, c.committer_email, c.committed_at, c.committed_zone, c.message`

const selectCommits = `
	select ` + commitColumns + `
	from commits c`

// FindCommit returns the commit with an id, or a not-found fault about what.
func (g *Git) FindCommit(ctx context.Context, what string, id object.ID) (Commit, error) {
	return db.One[Commit](ctx, g.st, what, selectCommits+` where c.repository_id = @repository and c.oid = @oid`,
		pgx.NamedArgs{"repository": g.ID, "oid": id})
}

// Commits returns the commits with these ids, in their order. Ids of what is no commit are left
// out.
func (g *Git) Commits(ctx context.Context, ids []object.ID) ([]Commit, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := db.Many[Commit](ctx, g.st,
		selectCommits+` where c.repository_id = @repository and c.oid = any(@oids)`,
		pgx.NamedArgs{"repository": g.ID, "oids": rawIDs(ids)})
	if err != nil {
		return nil, err
	}
	at := make(map[object.ID]Commit, len(rows))
	for _, c := range rows {
		at[c.ID] = c
	}
	ordered := make([]Commit, 0, len(ids))
	for _, id := range ids {
		if c, ok := at[id]; ok {
			ordered = append(ordered, c)
		}
	}
	return ordered, nil
}

// rawIDs returns ids as an argument of a query.
func rawIDs(ids []object.ID) [][]byte {
	raw := make([][]byte, len(ids))
	for i := range ids {
		raw[i] = ids[i][:]
	}
	return raw
}

// rowOf returns the row of a commit object.
func rowOf(id object.ID, c *object.Commit) Commit {
	row := Commit{
		ID: id, Tree: c.Tree, Parents: c.Parents,
		AuthorName: toText(c.Author.Name, c.Encoding), AuthorEmail: toText(c.Author.Email, c.Encoding),
		CommitterName: toText(c.Committer.Name, c.Encoding), CommitterEmail: toText(c.Committer.Email, c.Encoding),
		Message: toText(c.Message, c.Encoding),
	}
	row.AuthoredAt, row.AuthoredZone = columnsOf(c.Author.When)
	row.CommittedAt, row.CommittedZone = columnsOf(c.Committer.When)
	return row
}

// lastTime is the last time that is stored: JSON has no later year.
var lastTime = time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)

func columnsOf(t time.Time) (time.Time, int16) {
	_, seconds := t.Zone()
	if t.Before(time.Unix(0, 0)) {
		t = time.Unix(0, 0)
	}
	if t.After(lastTime) {
		t = lastTime
	}
	return t.UTC().Truncate(time.Second), int16(seconds / 60)
}

// toText returns a text of a commit as UTF-8 without NUL, which a column cannot have. Bytes that
// make no sense in its encoding become U+FFFD.
func toText(text, encoding string) string {
	if !utf8.ValidString(text) {
		if e, err := htmlindex.Get(encoding); err == nil {
			if decoded, err := e.NewDecoder().String(text); err == nil {
				text = decoded
			}
		}
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	return strings.ReplaceAll(text, "\x00", "")
}
