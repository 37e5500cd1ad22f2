package nuget

import (
	"fmt"

	"hew/server/zipfile"
)

// Problem is what is wrong with a package, in the words of the API. Errors of this package wrap
// one, with more detail, unless they come from the reader of the caller.
type Problem string

// The problems of packages.
const (
	NoManifest       Problem = "nuspec file not found"
	ManifestTooLarge Problem = "nuspec file too big"
	InvalidFile      Problem = "invalid package file"
	NoIdentity       Problem = "package name and/or package version not found in metadata"
	InvalidName      Problem = "package name is invalid"
	InvalidVersion   Problem = "package version is invalid"
	TooManySymbols   Problem = "too many symbol entries"
	SymbolsTooLarge  Problem = "symbol files too big"
)

// Error implements error.
func (p Problem) Error() string { return string(p) }

// invalid returns an InvalidFile with its detail.
func invalid(format string, a ...any) error {
	return fmt.Errorf("%w: %w", InvalidFile, fmt.Errorf(format, a...))
}

// describe makes errors of an archive problems of the package.
func describe(err error) error {
	if zipfile.IsInvalid(err) {
		return fmt.Errorf("%w: %w", InvalidFile, err)
	}
	return err
}
