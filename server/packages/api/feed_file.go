package api

import (
	"context"

	"hew/server/blob/serve"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/packages"
	"hew/server/packages/nuget"
	"hew/server/rest"
	"hew/server/scope"
)

// packageUpload is a package in a form. The parameters that the specification names are told by the
// package itself.
type packageUpload struct{ rest.Body }

// publish publishes a package.
func (feed) publish(ctx context.Context, s scope.InProject, in packageUpload) (rest.Raw, error) {
	return publishFile(ctx, s, in, packages.NugetUpload{})
}

// publishSymbols publishes the symbols of a package.
func (feed) publishSymbols(ctx context.Context, s scope.InProject, in packageUpload) (rest.Raw, error) {
	return publishFile(ctx, s, in, packages.NugetUpload{Symbols: true})
}

// publishFile publishes the file of a form as the upload says.
func publishFile(
	ctx context.Context, s scope.InProject, in packageUpload, u packages.NugetUpload,
) (rest.Raw, error) {
	file, err := in.Upload("package")
	if err != nil {
		return nil, err
	}
	u.Project, u.Content = s.Project.Project, file
	if u.By, err = publisher(ctx, s, createPackage); err != nil {
		return nil, err
	}
	_, err = packages.PublishNuget(ctx, s.Store, u)
	return created(), err
}

// delete removes a version of a package: the protocol lets a feed choose between that and hiding
// it.
func (feed) delete(ctx context.Context, s scope.InProject, in packageVersion) (rest.None, error) {
	if !nuget.ValidName(in.Name) {
		return rest.None{}, fault.Param("package_name is invalid")
	}
	v, ok := nuget.LookupVersion(in.Version)
	if !ok {
		return rest.None{}, fault.Param("package_version is invalid")
	}
	by, err := publisher(ctx, s, destroyPackage)
	if err == nil {
		err = packages.Delete(
			ctx, s.Store, s.Project.ID, packages.Named(packages.NugetIdentity(in.Name, v)), by, rest.Unmodified)
	}
	return rest.None{}, err
}

type packageFile struct {
	packageVersion
	FileName string `param:"package_filename"`
}

// download sends the latest file of a version. It never redirects: clients would not follow.
func (a feed) download(ctx context.Context, s source, in packageFile) (rest.Raw, error) {
	p, err := packages.FindNuget(ctx, s.Store, s.Feed, in.Name, in.Version)
	if err != nil {
		return nil, err
	}
	f, err := packages.NugetFile(ctx, s.Store, p, in.FileName)
	if err != nil {
		return nil, err
	}
	return serveFile(ctx, a.log, s.Store, f)
}

// downloadV2 sends a version, or the newest one, to a client of version 2 of the protocol.
func (a feed) downloadV2(ctx context.Context, s source, in packageVersion) (rest.Raw, error) {
	find := packages.FindNuget
	if in.Version == latestVersion {
		find = func(ctx context.Context, st *db.Store, f packages.Feed, name, _ string) (packages.Package, error) {
			return packages.LatestNuget(ctx, st, f, name)
		}
	}
	p, err := find(ctx, s.Store, s.Feed, in.Name, in.Version)
	if err != nil {
		return nil, err
	}
	f, err := packages.LatestNugetFile(ctx, s.Store, p)
	if err != nil {
		return nil, err
	}
	return serveFile(ctx, a.log, s.Store, f)
}

type symbolFile struct {
	FileName  string `param:"file_name"`
	Signature string `param:"signature"`
	Same      string `param:"same_file_name"`
}

// symbols sends debugging symbols to a debugger, which has no credentials (transfer facts §6.3).
// The header Symbolchecksum has to name one of the checksums of the file.
func (a feed) symbols(ctx context.Context, s source, in symbolFile) (rest.Raw, error) {
	settings, err := packages.FeedSettings(ctx, s.Store, s.Feed)
	switch {
	case err != nil:
		return nil, err
	case !settings.SymbolServer:
		return nil, fault.Forbidden("")
	}
	checksums := nuget.ParseChecksums(s.checksumHeader)
	if len(checksums) == 0 {
		return nil, fault.BadRequest("Missing checksum header")
	}
	if in.FileName != in.Same {
		return nil, fault.NotFound("")
	}
	found, err := packages.FindSymbol(ctx, s.Store, s.ProjectID, s.GroupID, in.FileName, in.Signature, checksums)
	if err != nil {
		return nil, err
	}
	return serve.File{Log: a.log, Store: s.Store, BlobID: found.BlobID, Name: found.Name}, nil
}
