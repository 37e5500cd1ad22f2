package ci

import (
	"context"
	"regexp"
	"strconv"
	"strings"

	"hew/server/ci/document"
	"hew/server/code"
	"hew/server/fault"
	"hew/server/git/object"
)

// component returns the file of a component, which is in templates/NAME.yml or in
// templates/NAME/template.yml of a project of this server (ci §1.3).
func (f *files) component(ctx context.Context, at document.Location) (document.File, error) {
	if !strings.EqualFold(at.Host, f.site.FQDN()) {
		return document.File{}, document.ErrNoProject
	}
	g, err := f.repo(ctx, at.Project)
	if err != nil {
		return document.File{}, err
	}
	version, id, err := f.version(ctx, g, at.Ref)
	if err != nil {
		return document.File{}, err
	}
	origin := f.origin(g, id)
	file, err := f.file(ctx, g, origin, "templates/"+at.Path+".yml")
	if err == document.ErrNoFile {
		file, err = f.file(ctx, g, origin, "templates/"+at.Path+"/template.yml")
	}
	file.Component = map[string]string{
		"name": at.Path, "sha": id.String(), "version": version, "reference": at.Ref,
	}
	return file, err
}

// semantic is the shape of tags that are versions.
var semantic = regexp.MustCompile(`^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})$`)

// partial is the shape of versions that stand for the newest one that begins with them.
var partial = regexp.MustCompile(`^\d{1,9}(\.\d{1,9})?$`)

// version returns the commit that a version of a component stands for: a tag, a branch, a commit,
// "1" or "1.2" for the newest tag of these, "~latest" for the newest of all.
func (f *files) version(ctx context.Context, g *code.Git, version string) (string, object.ID, error) {
	if version != "~latest" {
		for _, prefix := range []string{code.Tags, code.Heads} {
			ref, err := g.FindRef(ctx, f.st, "Ref", prefix+version)
			if err == nil {
				return version, ref.Commit(), nil
			}
			if fault.IgnoreNotFound(err) != nil {
				return "", object.ID{}, err
			}
		}
		if !partial.MatchString(version) {
			id, err := object.ParseID(version)
			if err != nil {
				return "", id, document.ErrNoRef
			}
			_, err = g.FindCommit(ctx, "Commit", id)
			return version, id, instead(err, document.ErrNoRef)
		}
	}
	refs, err := g.Refs(ctx, f.st, code.Tags)
	if err != nil {
		return "", object.ID{}, err
	}
	newest := newestVersion(refs, version)
	if newest == nil {
		return "", object.ID{}, document.ErrNoRef
	}
	return newest.Short(), newest.Commit(), nil
}

// newestVersion returns the newest tag that is a version and begins with a partial one.
func newestVersion(refs []code.Ref, begin string) (newest *code.Ref) {
	var best [3]int
	for n := range refs {
		parts := semantic.FindStringSubmatch(refs[n].Short())
		if parts == nil {
			continue
		}
		number := strings.TrimPrefix(parts[0], "v")
		if begin != "~latest" && !strings.HasPrefix(number, begin+".") {
			continue
		}
		var this [3]int
		for i := range this {
			this[i], _ = strconv.Atoi(parts[i+1])
		}
		if newest == nil || laterVersion(this, best) {
			newest, best = &refs[n], this
		}
	}
	return newest
}

func laterVersion(a, b [3]int) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] > b[i]
		}
	}
	return false
}
