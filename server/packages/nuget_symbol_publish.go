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
)

// withSymbols makes a publication that of symbols: those in the archive are stored by themselves,
// so that debuggers can ask for them. Files that are not portable are left in the archive.
func (u *publication) withSymbols(ctx context.Context, st *db.Store, read nuget.Package) error {
	u.Content.StoredName = strings.TrimSuffix(u.Content.StoredName, packageEnding) + symbolsEnding
	u.allowed = func(context.Context, *db.Store, Package, Settings) error { return nil }
	if _, err := Packages(st, u.Project.ID).One(ctx, Named(u.ID)); err != nil {
		if fault.CodeOf(err) == fault.CodeNotFound {
			err = errSymbolsAlone()
		}
		return err
	}
	files, err := read.Symbols()
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
	u.then = func(ctx context.Context, st *db.Store, _ Package, f File, fresh bool) error {
		if fresh { // it was removed meanwhile
			return errSymbolsAlone()
		}
		return insertSymbols(ctx, st, f, list)
	}
	return nil
}

const (
	maxInflation = 64  // times that symbols may be larger than their archive; compilers' are some five times
	maxName      = 255 // bytes of the name of a file of symbols; debuggers do not ask for longer ones
)

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
	blobID                    int64
}

// storeSymbol stores a file of symbols unless it is one that debuggers cannot ask for.
func storeSymbol(ctx context.Context, st *db.Store, file nuget.Symbol) (s symbol, portable bool, err error) {
	id, portable, err := file.Identity()
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
	return symbol{name, strings.ToLower(id.Signature), strings.ToLower(id.Checksum), ref.ID}, true, nil
}

func insertSymbols(ctx context.Context, st *db.Store, f File, list []symbol) error {
	var names, signatures, checksums []string
	var blobs []int64
	for _, s := range list {
		names, signatures = append(names, s.name), append(signatures, s.signature)
		checksums, blobs = append(checksums, s.checksum), append(blobs, s.blobID)
	}
	return st.Exec(ctx, `
		insert into nuget_symbols (package_file_id, project_id, name, signature, checksum, blob_id)
		select @file, @project, s.name, s.signature, s.checksum, s.blob
		from unnest(@names::text[], @signatures::text[], @checksums::text[], @blobs::bigint[])
		     s (name, signature, checksum, blob)`, pgx.NamedArgs{
		"file": f.ID, "project": f.ProjectID, "names": names, "signatures": signatures, "checksums": checksums,
		"blobs": blobs,
	})
}
