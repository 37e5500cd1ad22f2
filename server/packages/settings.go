package packages

import (
	"context"
	"regexp"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/check"
	"hew/server/db"
	"hew/server/tree"
)

// Settings are how the projects of a group keep packages, and those of the groups below it that
// have no settings of their own (gaps §16.1).
type Settings struct {
	ID          int64 `db:"id,auto"`
	NamespaceID int64 `db:"namespace_id"`
	Choices
	CreatedAt time.Time `db:"created_at,auto"`
	UpdatedAt time.Time `db:"updated_at,auto"`
}

// Choices are the settings themselves. An exception is a regular expression of names and versions
// that may have duplicates although the others may not; empty: none.
type Choices struct {
	NugetDuplicates   bool   `db:"nuget_duplicates_allowed" json:"nuget_duplicates_allowed"`
	NugetException    string `db:"nuget_duplicate_exception_regex" json:"nuget_duplicate_exception_regex"`
	GenericDuplicates bool   `db:"generic_duplicates_allowed" json:"generic_duplicates_allowed"`
	GenericException  string `db:"generic_duplicate_exception_regex" json:"generic_duplicate_exception_regex"`
	SymbolServer      bool   `db:"nuget_symbol_server_enabled" json:"nuget_symbol_server_enabled"`
}

// NewChoices returns the defaults: duplicates are allowed, and symbols are not served.
func NewChoices() Choices { return Choices{NugetDuplicates: true, GenericDuplicates: true} }

// SettingsFor returns the settings that are in effect in a project: those of the nearest group that
// has any, or the defaults.
func SettingsFor(ctx context.Context, s *db.Store, p tree.Project) (Settings, error) {
	return nearestSettings(ctx, s, p.NamespaceIDs)
}

// OwnSettings returns the settings of a group itself. It has them or not.
func OwnSettings(s *db.Store, g tree.Group) db.Held[Settings] {
	own := db.NewHeld[Settings](s, g.Container(), "package_settings")
	own.What = "Package settings"
	return own
}

// GroupSettings returns the settings that are in effect in a group.
func GroupSettings(ctx context.Context, s *db.Store, g tree.Group) (Settings, error) {
	return nearestSettings(ctx, s, g.TraversalIDs)
}

// FeedSettings returns the settings that are in effect where a feed is.
func FeedSettings(ctx context.Context, s *db.Store, f Feed) (Settings, error) {
	path, err := db.Value[[]int64](ctx, s, `
		select n.traversal_ids from namespaces n
		where n.id = coalesce((select p.namespace_id from projects p where p.id = @project), @group)`,
		pgx.NamedArgs{"project": f.ProjectID, "group": f.GroupID})
	if err != nil {
		return Settings{}, err
	}
	return nearestSettings(ctx, s, path)
}

func nearestSettings(ctx context.Context, s *db.Store, path []int64) (Settings, error) {
	list, err := db.Many[Settings](ctx, s, `
		select t.* from package_settings t where t.namespace_id = any(@path)
		order by array_position(@path::bigint[], t.namespace_id) desc limit 1`, pgx.NamedArgs{"path": path})
	if err != nil || len(list) == 0 {
		return Settings{Choices: NewChoices()}, err
	}
	return list[0], nil
}

// ChangeSettings edits the settings of a group and returns them. It begins with those that were in
// effect.
func ChangeSettings(ctx context.Context, st *db.Store, g tree.Group, change func(*Choices)) (s Settings, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		now, err := GroupSettings(ctx, st, g)
		if err != nil {
			return err
		}
		fresh := Settings{NamespaceID: g.ID, Choices: now.Choices}
		s, err = OwnSettings(st, g).Put(ctx, db.AnyRow, fresh,
			func(_ *db.Store, s *Settings) error {
				change(&s.Choices)
				return s.check()
			})
		return err
	})
	return s, err
}

func (c Choices) check() error {
	var wrong check.Problems
	for _, exception := range []struct{ field, text string }{
		{"nuget_duplicate_exception_regex", c.NugetException},
		{"generic_duplicate_exception_regex", c.GenericException},
	} {
		if !wrong.Fits(exception.field, exception.text, 255) {
			continue
		}
		if err := check.Regex(exception.text); err != nil {
			wrong.On(exception.field, "not valid RE2 syntax: "+strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		}
	}
	return wrong.Err()
}

// compileWhole returns the expression that matches a text as a whole.
func compileWhole(expression string) (*regexp.Regexp, error) {
	return regexp.Compile(`\A(?:` + expression + `)\z`)
}

// mayRepeat reports whether a package may get a file that it has already.
func (c Choices) mayRepeat(id Identity) bool {
	allowed, exception := c.GenericDuplicates, c.GenericException
	if id.Type == Nuget {
		allowed, exception = c.NugetDuplicates, c.NugetException
	}
	if allowed || exception == "" {
		return allowed
	}
	match, err := compileWhole(exception)
	return err == nil && (match.MatchString(id.Name) || match.MatchString(id.Version))
}
