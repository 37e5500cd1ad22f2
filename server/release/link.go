package release

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/check"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/tree"
)

// Link is a row of release_links: a file elsewhere that belongs to a release.
type Link struct {
	ID        int64   `db:"id,auto" json:"id"`
	ReleaseID int64   `db:"release_id" json:"-"`
	Name      string  `db:"name" json:"name"`
	URL       string  `db:"url" json:"url"`
	Path      *string `db:"filepath" json:"filepath"` // /bin/x: where the release offers it; nil: nowhere
	Type      string  `db:"link_type" json:"link_type"`
}

// LinkTypes are the types of links. The first is the default.
var LinkTypes = []string{"other", "runbook", "image", "package"}

// maxLinks is how many links a release may have: it is always read with them.
const maxLinks = 1000

// The limits of links, in characters.
const (
	maxLinkName = 255
	maxLinkURL  = 2048
	maxLinkPath = 128
)

// linkPath matches the path of a link below the address of its release.
var linkPath = regexp.MustCompile(`^/(?:[-.\w]+/?)*[\da-zA-Z]+$`)

const selectLinks = `select t.id, t.release_id, t.name, t.url, t.filepath, t.link_type from release_links t`

// Links returns a page of the links of a release, newest first, and their capped count.
func Links(ctx context.Context, s *db.Store, r Release, p db.Page) ([]Link, int, error) {
	w := db.NewWhere(nil)
	w.And(`t.release_id = @release`, r.ID)
	p.Desc = true
	return db.List[Link](ctx, s, p, nil, "t.id", selectLinks, w)
}

// FindLink returns a link of a release, or a not-found fault.
func FindLink(ctx context.Context, s *db.Store, r Release, id int64) (Link, error) {
	l, err := db.One[Link](ctx, s, "", selectLinks+` where t.release_id = @release and t.id = @id`,
		pgx.NamedArgs{"release": r.ID, "id": id})
	if fault.CodeOf(err) == fault.CodeNotFound {
		err = fault.NoRecord()
	}
	return l, err
}

// LinkAt returns the link that a release offers at a path, which begins with a slash.
func LinkAt(r Release, path string) (Link, error) {
	i := slices.IndexFunc(r.Links, func(l Link) bool { return l.Path != nil && *l.Path == path })
	if i < 0 {
		return Link{}, fault.NotFound("")
	}
	return r.Links[i], nil
}

// CreateLink adds a link to the release of a tag.
func CreateLink(ctx context.Context, st *db.Store, p tree.Project, tag string, l Link) (Link, error) {
	err := changeLinks(ctx, st, p, tag, func(st *db.Store, r Release) (err error) {
		l, err = addLink(ctx, st, r, l)
		return err
	})
	return l, err
}

// ChangeLink edits a link of the release of a tag and returns it.
func ChangeLink(
	ctx context.Context, st *db.Store, p tree.Project, tag string, id int64, change func(*Link),
) (l Link, err error) {
	err = changeLinks(ctx, st, p, tag, func(st *db.Store, r Release) error {
		if l, err = FindLink(ctx, st, r, id); err != nil {
			return err
		}
		change(&l)
		if err := checkLink(l); err != nil {
			return err
		}
		return st.Update(ctx, "release_links", l)
	})
	return l, err
}

// DeleteLink removes a link of the release of a tag and returns it.
func DeleteLink(ctx context.Context, st *db.Store, p tree.Project, tag string, id int64) (l Link, err error) {
	err = changeLinks(ctx, st, p, tag, func(st *db.Store, r Release) error {
		if l, err = FindLink(ctx, st, r, id); err != nil {
			return err
		}
		return st.Exec(ctx, `delete from release_links where id = @id`, pgx.NamedArgs{"id": l.ID})
	})
	return l, err
}

// changeLinks calls do with the release of a tag, which it locks and marks as updated. The public
// service sends no event of it.
func changeLinks(
	ctx context.Context, st *db.Store, p tree.Project, tag string, do func(*db.Store, Release) error,
) error {
	_, err := Releases(st, p.ID).Change(ctx, WithTag(tag), func(st *db.Store, r *Release) error { return do(st, *r) })
	return err
}

// addLink stores a link of a release.
func addLink(ctx context.Context, st *db.Store, r Release, l Link) (Link, error) {
	if len(r.Links) >= maxLinks {
		return l, errTooManyLinks()
	}
	if l.Type == "" {
		l.Type = LinkTypes[0]
	}
	l.ReleaseID = r.ID
	err := checkLink(l)
	if err == nil {
		l.ID, err = st.Insert(ctx, "release_links", l)
	}
	return l, err
}

func errTooManyLinks() error {
	return fault.Invalid("links", fmt.Sprintf("are too many (a release may have %d)", maxLinks))
}

// addLinks stores the links of a new release, in their order.
func addLinks(ctx context.Context, st *db.Store, r Release, list []Link) error {
	if len(list) > maxLinks {
		return errTooManyLinks()
	}
	var names, urls, types []string
	var paths []*string
	for _, l := range list {
		l.Type = cmp.Or(l.Type, LinkTypes[0])
		if err := checkLink(l); err != nil {
			return err
		}
		names, urls = append(names, l.Name), append(urls, l.URL)
		paths, types = append(paths, l.Path), append(types, l.Type)
	}
	if len(list) == 0 {
		return nil
	}
	return st.Exec(ctx, `
		insert into release_links (release_id, name, url, filepath, link_type)
		select @release, l.name, l.url, l.path, l.type
		from unnest(@names::text[], @urls::text[], @paths::text[], @types::text[])
		     with ordinality l (name, url, path, type, place)
		order by l.place`,
		pgx.NamedArgs{"release": r.ID, "names": names, "urls": urls, "paths": paths, "types": types})
}

// checkLink returns what is wrong with a link.
func checkLink(l Link) error {
	var wrong check.Problems
	if strings.TrimSpace(l.Name) == "" {
		wrong.On("name", check.Blank)
	}
	wrong.Fits("name", l.Name, maxLinkName)
	if l.URL == "" {
		wrong.On("url", check.Blank)
	} else if wrong.Fits("url", l.URL, maxLinkURL) {
		wrong.On("url", urlProblems(l.URL)...)
	}
	if l.Path != nil && wrong.Fits("filepath", *l.Path, maxLinkPath) && !linkPath.MatchString(*l.Path) {
		wrong.On("filepath", "is in an invalid format: it begins with a slash, has letters, digits, -, _, . and /, "+
			"no two slashes in a row, and ends with a letter or digit")
	}
	if !slices.Contains(LinkTypes, l.Type) {
		wrong.On("link_type", "is not included in the list")
	}
	return wrong.Err()
}

// urlProblems returns why an address cannot be that of a link, or nil.
func urlProblems(address string) []string {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Scheme == "" || strings.ContainsFunc(address, func(r rune) bool { return r <= ' ' }):
		return []string{"must be a valid URL"}
	case !slices.Contains([]string{"http", "https", "ftp"}, strings.ToLower(u.Scheme)):
		return []string{"is blocked: Only allowed schemes are http, https, ftp"}
	case u.Host == "":
		return []string{"must be a valid URL"}
	}
	return nil
}
