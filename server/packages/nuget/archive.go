package nuget

import (
	"io"
	"net/url"
	"path"
	"slices"
	"strings"

	"hew/server/zipfile"
)

// Package is an uploaded package: what it says of itself, and its files.
type Package struct {
	Manifest Manifest

	*Archive
}

// ReadPackage opens the archive of a package of so many bytes and reads its manifest. The error
// wraps a [Problem] unless r failed.
func ReadPackage(r io.ReaderAt, size int64) (Package, error) {
	a, err := openArchive(r, size)
	if err != nil {
		return Package{}, err
	}
	m, err := a.Manifest()
	if err != nil {
		return Package{}, err
	}
	return Package{Manifest: m, Archive: a}, nil
}

// Archive is the zip of a package. Only what a caller asks for is unpacked.
type Archive struct {
	zip *zipfile.Archive
}

// openArchive reads the list of files of a package of so many bytes. The caller keeps the reader
// for as long as it uses the archive.
func openArchive(r io.ReaderAt, size int64) (*Archive, error) {
	zip, err := zipfile.Open(r, size)
	if err != nil {
		return nil, describe(err)
	}
	return &Archive{zip: zip}, nil
}

// Manifest reads the manifest: the first file in the root whose name ends with .nuspec.
func (a *Archive) Manifest() (Manifest, error) {
	at := slices.IndexFunc(a.zip.Entries, func(e zipfile.Entry) bool {
		name, ok := cleanName(e)
		return ok && !strings.Contains(name, "/") && hasExtension(name, ".nuspec")
	})
	if at < 0 {
		return Manifest{}, NoManifest
	}
	e := a.zip.Entries[at]
	if e.Size > MaxManifest {
		return Manifest{}, ManifestTooLarge
	}
	r, err := a.zip.Open(e)
	if err != nil {
		return Manifest{}, describe(err)
	}
	m, err := ReadManifest(r)
	return m, describe(err)
}

// hasExtension reports whether a file has an extension, in any case, and a name before it.
func hasExtension(name, extension string) bool {
	return len(path.Base(name)) > len(extension) && strings.EqualFold(path.Ext(name), extension)
}

// cleanName returns the path of a file. Some tools write "\" for "/", and escape names as in URLs.
// It reports whether the path stays within the archive; directories and links are not files.
func cleanName(e zipfile.Entry) (name string, ok bool) {
	name = e.Name
	if unescaped, err := url.PathUnescape(name); err == nil {
		name = unescaped
	}
	name = strings.ReplaceAll(name, `\`, "/")
	return name, e.Mode.IsRegular() && name != "" && path.Clean("/" + name)[1:] == name
}
