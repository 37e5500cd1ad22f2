package packages

import (
	"context"
	"io"
	"regexp"
	"strings"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/setting"
	"hew/server/tree"
)

// GenericUpload is a file that is published under a name and a version.
type GenericUpload struct {
	Project             tree.Project
	By                  Publisher
	Name, Version, File string
	Status              string // of the package; empty: as it is, or Shown
	Content             io.Reader
	Size                int64 // of the content, in bytes; -1: unknown
}

// The patterns of names and versions, and of names of files, of generic packages (gaps §16.1). Only
// the latter may have slashes.
var (
	genericName = regexp.MustCompile(`\A[A-Za-z0-9.+_~-][A-Za-z0-9.+_~@-]*\z`)
	genericFile = regexp.MustCompile(`\A[A-Za-z0-9.+_~-][A-Za-z0-9.+_~@/-]*\z`)
)

// GenericIdentity returns the identity of a generic package, or a fault that says what is wrong
// with its name or version.
func GenericIdentity(name, version string) (Identity, error) {
	if err := checkGeneric("package_name", genericName, name); err != nil {
		return Identity{}, err
	}
	if err := checkGeneric("package_version", genericName, version); err != nil {
		return Identity{}, err
	}
	return Identity{
		Type: Generic, Name: name, Version: version, NameKey: name, VersionKey: version, SortKey: sortKey(version),
	}, nil
}

// CheckGenericFile returns what is wrong with the name of a file.
func CheckGenericFile(name string) error {
	if err := checkGeneric("file_name", genericFile, name); err != nil {
		return err
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part == "." {
			return fault.Param("file_name is invalid: a part of its path is empty or a dot")
		}
	}
	return nil
}

func checkGeneric(field string, pattern *regexp.Regexp, text string) error {
	switch {
	case len(text) > 255:
		return fault.Param(field + " is too long (maximum is 255 characters)")
	case !pattern.MatchString(text), strings.Contains(text, ".."):
		slash := ""
		if pattern == genericFile {
			slash = " /"
		}
		return fault.Param(field + " is invalid: use letters, digits and . _ + ~ - @" + slash +
			`, without @ at the start and without ".."`)
	}
	return nil
}

// PublishGeneric stores a file and publishes it. It must be called outside of a transaction.
func PublishGeneric(ctx context.Context, st *db.Store, u GenericUpload) (f File, err error) {
	id, err := GenericIdentity(u.Name, u.Version)
	if err == nil {
		err = CheckGenericFile(u.File)
	}
	if err != nil {
		return f, err
	}
	plan, err := setting.ReadPlanLimits(ctx, st, "default")
	if err != nil {
		return f, err
	}
	limit := limitOf(plan.Limits.GenericMaxFileSize)
	if limit >= 0 && u.Size > limit {
		return f, fault.TooLarge()
	}
	p := publication{
		Project: u.Project, By: u.By, ID: id, Status: u.Status,
		refuseDuplicate: func(ctx context.Context, st *db.Store, p Package, s Settings) error {
			return refuseGeneric(ctx, st, p, u.File, s)
		},
	}
	if err := p.check(ctx, st); err != nil {
		return f, err
	}
	if p.Content, err = Store(ctx, st, u.Content, limit); err != nil {
		return f, err
	}
	p.Content.StoredName = u.File
	_, f, err = publish(ctx, st, p)
	return f, err
}

// refuseGeneric returns why a package may not have another file with a name that one of its files
// has.
func refuseGeneric(ctx context.Context, st *db.Store, p Package, file string, s Settings) error {
	if s.mayRepeat(p.Identity) {
		return nil
	}
	_, err := LatestFile(ctx, st, p, file)
	if err == nil {
		return fault.BadRequest("Duplicate package is not allowed")
	}
	return fault.IgnoreNotFound(err)
}
