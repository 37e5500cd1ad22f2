// Package nuget reads NuGet packages: their versions, manifests, archives and debugging symbols
// (transfer facts §6). It is pure: bytes come in, values go out.
//
// A server reads an upload with [ReadPackage]:
//
//	p, err := nuget.ReadPackage(file, size)
//	if problem := nuget.Problem(""); errors.As(err, &problem) {
//		return fault.BadRequest(err.Error()) // the problem in the words of the API, and its detail
//	}
//
// and stores nuget.FoldName(p.Manifest.ID) and p.Manifest.Version.SortKey(), which are the identity
// of the package: names ignore case, "1.0" and "1.0.0" are one version, and the keys of versions
// sort as the versions do. To find what a client names, it compares with
// LookupVersion(text).SortKey().
//
// The symbols of a package, which debuggers ask for by signature and checksum, are in p.Symbols;
// [ReadSymbolKey] finds both in a file.
//
// Packages come from users, so everything is bounded: entries of an archive, what they unpack to,
// the size and depth of manifests, the symbols. Manifests with a document type are refused, so
// there are no entities to resolve.
package nuget
