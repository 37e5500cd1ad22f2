package project

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/outbound"
	"hew/server/setting"
	"hew/server/tree"
)

// SetImportURL gives a project that was just changed the import URL that a caller names, if any: a
// pull mirror follows it from now on, and an empty repository is imported from it once. For any
// other one it is noted, without its credentials. The project as it was tells whether it begins or
// ends to be a mirror. It returns the project as it is then.
func SetImportURL(ctx context.Context, st *db.Store, was, p tree.Project, url string) (tree.Project, error) {
	switch {
	case p.Settings.Mirror && (url != "" || !was.Settings.Mirror):
		return followURL(ctx, st, p, url)
	case p.Settings.Mirror:
		return p, nil
	case was.Settings.Mirror:
		return p, event.Emit(ctx, st, PullMirrorSet{Project: p})
	case url == "":
		return p, nil
	case p.ImportStatus == "scheduled" || p.ImportStatus == "started":
		return p, fault.Invalid("import_url", "cannot change while an import runs")
	case !p.Empty:
		return noteImportURL(ctx, st, p, url, outbound.Web)
	}
	return beginImport(ctx, st, p, url)
}

// followURL has a project follow a repository elsewhere: that at the URL or, if none is given, at
// the import URL that it has.
func followURL(ctx context.Context, st *db.Store, p tree.Project, url string) (tree.Project, error) {
	if url == "" && p.ImportURL != nil {
		if url = *p.ImportURL; strings.Contains(url, "*****") {
			return p, fault.Invalid("import_url", "must be given again: its credentials were not kept")
		}
	}
	if url == "" {
		return p, fault.Invalid("import_url", "can't be blank for a pull mirror")
	}
	p, err := noteImportURL(ctx, st, p, url, outbound.Git)
	if err != nil {
		return p, err
	}
	return p, event.Emit(ctx, st, PullMirrorSet{p, url})
}

// isReachedBySSH reports whether an address is one of SSH: imports have no keys, but mirrors do, so
// that the first pull is the import.
func isReachedBySSH(url string) bool {
	scheme, _, _ := strings.Cut(url, "://")
	return strings.EqualFold(scheme, "ssh")
}

// noteImportURL stores the import URL of a project as it is shown. It has one of some schemes.
func noteImportURL(
	ctx context.Context, st *db.Store, p tree.Project, url string, by outbound.Ports,
) (tree.Project, error) {
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return p, err
	}
	shown, err := checkImportURL(settings, url, by)
	if err != nil {
		return p, err
	}
	if err := st.Exec(ctx, `update projects set import_url = @shown where id = @id`,
		pgx.NamedArgs{"id": p.ID, "shown": shown}); err != nil {
		return p, err
	}
	p.ImportURL = &shown
	return p, nil
}

// CheckMirrorUser returns a fault if a caller may not make another user the one that a pull mirror
// acts as. Administrators may name anybody, others themselves alone: the mirror has the rights of
// that user.
func CheckMirrorUser(was, p tree.Project, by tree.User, admin bool) error {
	id := p.Settings.MirrorUserID
	kept := was.Settings.MirrorUserID
	if id == nil || admin || *id == by.ID || kept != nil && *kept == *id {
		return nil
	}
	return fault.Invalid("mirror_user_id", "must be your own id; administrators may name other users")
}
