package upload

import (
	"context"

	"hew/server/db"
)

// Link is how texts of a group or project name an upload.
type Link struct {
	Secret string `db:"secret"`
	Name   string `db:"name"`
}

// Copy gives a group or project the uploads of another one that links name, and returns the secrets
// of the copies. Links that name none are left out. A copy shares its content with the upload.
func Copy(ctx context.Context, st *db.Store, from, to db.Container, links []Link) (map[Link]string, error) {
	if len(links) == 0 {
		return nil, nil
	}
	secrets, names, fresh := make([]string, len(links)), make([]string, len(links)), make([]string, len(links))
	for i, l := range links {
		secrets[i], names[i], fresh[i] = l.Secret, l.Name, NewSecret()
	}
	type copied struct {
		Link
		Fresh string `db:"fresh"`
	}
	w := db.NewWhere(nil)
	from.Within(w, "t")
	w.Args["to_namespace"], w.Args["to_project"] = to.NamespaceID, to.ProjectID
	w.Args["secrets"], w.Args["names"], w.Args["fresh"] = secrets, names, fresh
	list, err := db.Many[copied](ctx, st, `
		with found as (
		    select t.*, x.fresh from uploads t
		    join unnest(@secrets::text[], @names::text[], @fresh::text[]) as x(secret, name, fresh)
		        on x.secret = t.secret and x.name = t.name`+w.String()+`),
		copied as (
		    insert into uploads (namespace_id, project_id, secret, name, type, size, blob_id, uploader_id)
		    select @to_namespace::bigint, @to_project::bigint, fresh, name, type, size, blob_id, uploader_id from found)
		select secret, name, fresh from found`, w.Args)
	byLink := make(map[Link]string, len(list))
	for _, c := range list {
		byLink[c.Link] = c.Fresh
	}
	return byLink, err
}
