package packages

import (
	"context"
	"path"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/blob"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/packages/nuget"
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
		  and k.status = '`+Shown+`'
		  and (t.project_id = @project or n.traversal_ids @> array[@group::bigint])
		  and `+accessLevel+` <> '`+string(policy.Disabled)+`'
		  and (select o.nuget_symbol_server_enabled from package_settings o where o.namespace_id = any(n.traversal_ids)
		       order by array_position(n.traversal_ids, o.namespace_id) desc limit 1)
		order by t.id desc limit 1`, pgx.NamedArgs{
		"name": strings.ToLower(name), "signature": strings.ToLower(signature), "checksums": lower,
		"project": projectID, "group": groupID,
	})
}

// The limits of symbols, besides those of package nuget.
const (
	maxInflation = 64  // times that symbols may be larger than their archive; compilers' are some five times
	maxName      = 255 // bytes of the name of a file of symbols; debuggers do not ask for longer ones
)

// beSymbols makes a publication that of symbols. The setting of duplicates is about packages: their
// symbols may always come again, since a build whose push broke off sends both once more.
func (u *publication) beSymbols() {
	u.Content.StoredName = strings.TrimSuffix(u.Content.StoredName, packageEnding) + symbolsEnding
	u.refuseDuplicate = func(context.Context, *db.Store, Package, Settings) error { return nil }
}

// withSymbols stores the symbols in the archive by themselves, so that debuggers can ask for them.
// Files that are not portable are left in the archive.
func (u *publication) withSymbols(ctx context.Context, st *db.Store, pkg nuget.Package) error {
	if _, err := Packages(st, u.Project.ID).One(ctx, Named(u.ID)); err != nil {
		if fault.CodeOf(err) == fault.CodeNotFound {
			err = errSymbolsAlone()
		}
		return err
	}
	files, err := pkg.Symbols()
	if err != nil {
		return asFault(err)
	}
	if unpacked(files) > maxInflation*u.Content.Ref.Size {
		return fault.BadRequest(nuget.SymbolsTooLarge.Error())
	}
	var list []symbol
	for _, file := range files {
		if len(path.Base(file.Path)) > maxName {
			continue
		}
		s, portable, err := storeSymbol(ctx, st, file)
		if err != nil {
			return err
		}
		if portable {
			list = append(list, s)
		}
	}
	u.afterInsert = func(ctx context.Context, st *db.Store, done publicationResult) error {
		if done.Fresh { // the package was removed meanwhile
			return errSymbolsAlone()
		}
		return insertSymbols(ctx, st, done.File, list)
	}
	return nil
}

// unpacked returns the size of symbols out of their archive, in bytes.
func unpacked(files []nuget.Symbol) (size int64) {
	for _, f := range files {
		size += f.Size
	}
	return size
}

// symbol is a file of symbols that is stored.
type symbol struct {
	name, signature, checksum string
	blobID, size              int64 // size in bytes
}

// storeSymbol stores a file of symbols unless it is one that debuggers cannot ask for.
func storeSymbol(ctx context.Context, st *db.Store, file nuget.Symbol) (s symbol, portable bool, err error) {
	key, portable, err := file.Key()
	if err != nil || !portable {
		return s, false, asFault(err)
	}
	content, err := file.Open()
	if err != nil {
		return s, false, asFault(err)
	}
	ref, err := blob.Put(ctx, st, content, file.Size)
	if err != nil {
		return s, false, asFault(err)
	}
	name := strings.ToLower(path.Base(file.Path))
	return symbol{
		name: name, signature: key.Signature, checksum: key.Checksum, blobID: ref.ID, size: ref.Size,
	}, true, nil
}

func insertSymbols(ctx context.Context, st *db.Store, f File, list []symbol) error {
	var names, signatures, checksums []string
	var blobs, sizes []int64
	for _, s := range list {
		names, signatures = append(names, s.name), append(signatures, s.signature)
		checksums = append(checksums, s.checksum)
		blobs, sizes = append(blobs, s.blobID), append(sizes, s.size)
	}
	return st.Exec(ctx, `
		insert into nuget_symbols (package_file_id, project_id, name, signature, checksum, blob_id, size)
		select @file, @project, s.name, s.signature, s.checksum, s.blob, s.size
		from unnest(@names::text[], @signatures::text[], @checksums::text[], @blobs::bigint[], @sizes::bigint[])
		     s (name, signature, checksum, blob, size)`, pgx.NamedArgs{
		"file": f.ID, "project": f.ProjectID, "names": names, "signatures": signatures, "checksums": checksums,
		"blobs": blobs, "sizes": sizes,
	})
}
