package load

import (
	"context"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/transfer/archive"
)

// Users says who the people of the source are here.
type Users interface {
	// Local returns the id here of the user with an id at the source.
	Local(source int64) (local int64, ok bool)
	// Name returns what the user with an id at the source is called, "" if that is not known.
	Name(source int64) string
}

// nobody knows no users.
type nobody struct{}

// Local implements Users.
func (nobody) Local(int64) (int64, bool) { return 0, false }

// Name implements Users.
func (nobody) Name(int64) string { return "" }

// maxUsers is how many users of an archive are known by name or address.
const maxUsers = 200_000

// ArchiveUsers are the users of an archive. Only those whose e-mail address belongs to a user here
// are known.
type ArchiveUsers struct {
	local map[int64]int64
	names map[int64]string
}

// NewArchiveUsers returns the users of an archive. If trusted, as for administrators, members are
// those whose public address is one that a user here has confirmed; otherwise nobody is known
// (transfer.md §1.3).
func NewArchiveUsers(ctx context.Context, st *db.Store, a *archive.Archive, trusted bool) (*ArchiveUsers, error) {
	u := &ArchiveUsers{local: map[int64]int64{}, names: map[int64]string{}}
	addresses := map[string]int64{}
	know := func(id *int64, name string, email ...*string) {
		if id == nil {
			return
		}
		if name != "" && len(u.names) < maxUsers {
			u.names[*id] = name
		}
		for _, e := range email {
			if trusted && e != nil && *e != "" && len(addresses) < maxUsers {
				addresses[strings.ToLower(*e)] = *id
			}
		}
	}
	for line, err := range a.Lines("project_members") {
		if err != nil {
			continue // a failure when the relation is stored
		}
		if m, err := archive.Decode[archive.Member](line); err == nil && m.User != nil {
			know(&m.User.ID, m.User.Username, m.User.PublicEmail, m.User.Email)
		}
	}
	for line, err := range a.Lines("user_contributions") {
		if err != nil {
			continue
		}
		if c, err := archive.Decode[archive.UserContribution](line); err == nil {
			know(c.ID, c.Name, c.PublicEmail)
		}
	}
	list := make([]string, 0, len(addresses))
	for a := range addresses {
		list = append(list, strings.ReplaceAll(a, "\x00", ""))
	}
	found, err := db.Many[struct {
		ID    int64  `db:"id"`
		Email string `db:"email"`
	}](ctx, st, `
		select u.id, lower(u.email) as email from users u
		where lower(u.email) = any(@list) and u.confirmed_at is not null and u.state = 'active' and not u.bot`,
		pgx.NamedArgs{"list": list})
	for _, f := range found {
		u.local[addresses[f.Email]] = f.ID
	}
	return u, err
}

// Local implements Users.
func (u *ArchiveUsers) Local(source int64) (int64, bool) {
	id, ok := u.local[source]
	return id, ok
}

// Name implements Users.
func (u *ArchiveUsers) Name(source int64) string { return u.names[source] }

// user returns the id here of a user of the source. An unknown user becomes the importer; nil stays
// nil.
func (l *Loader) user(source *int64) any {
	if source == nil {
		return nil
	}
	if id, ok := l.Users.Local(*source); ok {
		return id
	}
	return l.Importer.ID
}

// author returns the id here of who wrote something: the importer, unless the author is known.
func (l *Loader) author(source *int64) int64 {
	if id, ok := l.known(source); ok {
		return id
	}
	return l.Importer.ID
}

// known returns the id here of a user of the source, if the user is known.
func (l *Loader) known(source *int64) (int64, bool) {
	if source == nil {
		return 0, false
	}
	return l.Users.Local(*source)
}

// attribute returns the text of a note with a line that says who wrote it at the source, if that
// is nobody here. A note without text gets one.
func (l *Loader) attribute(text string, author *int64, name string, at time.Time) string {
	if strings.TrimSpace(text) == "" {
		text = "*Blank note*"
	}
	if _, ok := l.known(author); ok {
		return text
	}
	if name == "" && author != nil {
		name = l.Users.Name(*author)
	}
	if name == "" {
		return text
	}
	return text + "\n\n*By " + name + " on " + at.UTC().Format("2006-01-02T15:04:05") + " (imported from " + l.Host + ")*"
}
