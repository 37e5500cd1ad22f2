package code

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/setting"
)

// checkSize returns Refused if the repository, with the objects that the transaction has written to
// it, is larger than the setting repository_size_limit allows.
func (g *Git) checkSize(ctx context.Context) error {
	settings, err := setting.Read(ctx, g.st)
	if err != nil || settings.RepositorySizeLimit == 0 {
		return err
	}
	var project int64
	if g.Kind == Source {
		project = *g.ProjectID
	}
	size, err := db.Value[int64](ctx, g.st, `select (`+repositoryBytes+`) + (`+lfsBytes+`)`,
		pgx.NamedArgs{"repository": g.ID, "project": project})
	if over := size - settings.RepositorySizeLimit; err == nil && over > 0 {
		err = Refused{Text: sizeText(settings.RepositorySizeLimit, over)}
	}
	return err
}

// RefuseLFS returns why a project may not store so many more bytes of LFS objects, "" if it may.
func RefuseLFS(ctx context.Context, st *db.Store, project, more int64) (string, error) {
	settings, err := setting.Read(ctx, st)
	if err != nil || settings.RepositorySizeLimit == 0 {
		return "", err
	}
	size, err := db.Value[int64](ctx, st, `
		select (`+lfsBytes+`) + coalesce((select sum(r.size)::bigint from repositories r
			where r.project_id = @project and r.kind = 'project'), 0)`, pgx.NamedArgs{"project": project})
	if over := size + more - settings.RepositorySizeLimit; err == nil && over > 0 {
		return sizeText(settings.RepositorySizeLimit, over), nil
	}
	return "", err
}

func sizeText(limit, over int64) string {
	return fmt.Sprintf("Your push to this repository would cause it to exceed the size limit of %d bytes by %d bytes. "+
		"Remove large files from the commits, or ask an administrator to raise repository_size_limit.", limit, over)
}

// The bytes of a repository, and of the LFS objects of a project.
const (
	repositoryBytes = `
		select coalesce((select sum(p.size) from repository_packs l join packs p on p.id = l.pack_id
		                 where l.repository_id = @repository), 0)::bigint +
		       coalesce((select sum(octet_length(l.body)) from loose_objects l
		                 where l.repository_id = @repository), 0)::bigint`
	lfsBytes = `
		select coalesce(sum(b.size), 0)::bigint from lfs_objects l join blobs b on b.id = l.blob_id
		where l.project_id = @project`
)
