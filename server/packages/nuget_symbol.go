package packages

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/policy"
)

// Symbol is a file of debugging symbols.
type Symbol struct {
	Name   string `db:"name"`
	BlobID int64  `db:"blob_id"`
}

// FindSymbol returns the symbols of a project, or of the projects in a group and below it, that
// have a name, a signature and one of the checksums, whatever their case; or a not-found fault
// (transfer facts §6.3). Symbols need no credentials, so only those of projects that have packages
// and whose group serves symbols are found.
func FindSymbol(
	ctx context.Context, s *db.Store, projectID, groupID int64, name, signature string, checksums []string,
) (Symbol, error) {
	lower := make([]string, len(checksums))
	for i, c := range checksums {
		lower[i] = strings.ToLower(c)
	}
	return db.One[Symbol](ctx, s, "", `
		select t.name, t.blob_id from nuget_symbols t
		join package_files f on f.id = t.package_file_id join packages k on k.id = f.package_id
		join projects p on p.id = t.project_id join namespaces n on n.id = p.namespace_id
		where t.name = @name and t.signature = @signature and t.checksum = any(@checksums)
		  and k.status = '`+Shown+`' and `+access+` <> '`+string(policy.Disabled)+`'
		  and (t.project_id = @project or n.traversal_ids @> array[@group::bigint])
		  and `+access+` <> '`+string(policy.Disabled)+`'
		  and (select o.nuget_symbol_server_enabled from package_settings o where o.namespace_id = any(n.traversal_ids)
		       order by array_position(n.traversal_ids, o.namespace_id) desc limit 1)
		order by t.id desc limit 1`, pgx.NamedArgs{
		"name": strings.ToLower(name), "signature": strings.ToLower(signature), "checksums": lower,
		"project": projectID, "group": groupID,
	})
}
