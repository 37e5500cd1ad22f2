package api

import (
	"context"
	"slices"
	"strings"

	"hew/server/blob/send"
	"hew/server/fault"
	"hew/server/packages"
	"hew/server/packages/nuget"
	"hew/server/rest"
	"hew/server/scope"
)

// packageUpload is a package in a form. The parameters that the specification names are told by the
// package itself.
type packageUpload struct{ rest.Body }

// publish returns the handler that publishes a package, or symbols.
func (feed) publish(symbols bool) rest.Handler[scope.InProject, packageUpload, rest.Raw] {
	return func(ctx context.Context, s scope.InProject, in packageUpload) (rest.Raw, error) {
		file, err := in.Upload("package")
		if err != nil {
			return nil, err
		}
		by, err := publisher(ctx, s)
		if err != nil {
			return nil, err
		}
		_, err = packages.PublishNuget(ctx, s.Store, packages.NugetUpload{
			Project: s.Project.Project, By: by, Symbols: symbols, Content: file,
		})
		return created(), err
	}
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
	by, err := publisher(ctx, s)
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
	f, err := packages.NugetFile(ctx, s.Store, p.Package, in.FileName)
	if err != nil {
		return nil, err
	}
	return sent(ctx, a.log, s.Store, f)
}

// downloadV2 sends a version, or the newest one, to a client of version 2 of the protocol.
func (a feed) downloadV2(ctx context.Context, s source, in packageVersion) (rest.Raw, error) {
	if in.Version == latestVersion {
		newest, err := packages.NugetVersions(ctx, s.Store, s.Feed, in.Name)
		if err != nil {
			return nil, err
		}
		in.Version = latestOf(newest)
	}
	return a.download(ctx, s, packageFile{in, in.Name + "." + in.Version + ".nupkg"})
}

// latestOf returns the last of the versions that is no prerelease or, if all are, the last.
func latestOf(versions []string) string {
	for _, v := range slices.Backward(versions) {
		if !strings.Contains(v, "-") {
			return v
		}
	}
	return versions[len(versions)-1]
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
	checksums := nuget.ParseChecksums(s.sums)
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
	return send.File{Log: a.log, Store: s.Store, BlobID: found.BlobID, Name: found.Name}, nil
}
