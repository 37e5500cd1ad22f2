package ci

import (
	"context"
	"strings"

	"hew/server/ci/document"
	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/setting"
	"hew/server/tree"
)

// files gives a definition the files that it includes, under the rights of a user. It implements
// document.Files. Its store is bound to the pool: other hosts are asked.
type files struct {
	st       *db.Store
	site     Site
	settings setting.Settings
	by       tree.User
	parent   *Pipeline // of a child pipeline: whose artifacts may be included

	repos   map[string]*code.Git // of projects that the user may read, by path in lower case
	paths   map[int64]string     // their paths as they are written
	remotes map[string]document.File
}

// newFiles returns the files for a pipeline of a project, whose own files need no further right.
func newFiles(st *db.Store, site Site, s setting.Settings, by tree.User, p tree.Project, g *code.Git) *files {
	return &files{
		st: st, site: site, settings: s, by: by, repos: map[string]*code.Git{strings.ToLower(p.FullPath): g},
		paths: map[int64]string{p.ID: p.FullPath}, remotes: map[string]document.File{},
	}
}

// Read implements document.Files.
func (f *files) Read(ctx context.Context, at document.Location) (document.File, error) {
	switch at.Form {
	case document.Local:
		g, err := f.repo(ctx, at.From.Project)
		if err != nil {
			return document.File{}, err
		}
		return f.file(ctx, g, at.From, at.Path)
	case document.Project:
		return f.ofProject(ctx, at)
	case document.Component:
		return f.component(ctx, at)
	case document.Template:
		return templateFile(at.Path)
	case document.Artifact:
		return f.artifact(ctx, at)
	case document.Remote:
		return f.remote(ctx, at.Path, at.Cache)
	}
	return document.File{}, document.ErrNoFile
}

// maxMatches is how many files of a commit a wildcard is compared with.
const maxMatches = 100_000

// Match implements document.Files.
func (f *files) Match(ctx context.Context, from document.Origin, pattern string) ([]string, error) {
	g, err := f.repo(ctx, from.Project)
	if err != nil {
		return nil, err
	}
	list, err := g.ListTree(ctx, code.Listing{Revision: from.SHA, Recursive: true, Limit: maxMatches})
	if err != nil {
		return nil, fault.IgnoreNotFound(err)
	}
	matches := document.Wildcard(pattern)
	var paths []string
	for _, file := range list {
		if file.Entry.Mode.IsBlob() && isYAML(file.Path) && matches(file.Path) {
			paths = append(paths, file.Path)
		}
	}
	return paths, nil
}

func isYAML(path string) bool {
	path = strings.ToLower(path)
	return strings.HasSuffix(path, ".yml") || strings.HasSuffix(path, ".yaml")
}

// repo returns the repository of a project with a full path, whose code the user may read.
func (f *files) repo(ctx context.Context, path string) (*code.Git, error) {
	if g, ok := f.repos[strings.ToLower(path)]; ok {
		if g == nil {
			return nil, document.ErrNoProject
		}
		return g, nil
	}
	g, err := f.open(ctx, path)
	if err == nil || err == document.ErrNoProject {
		f.repos[strings.ToLower(path)] = g
	}
	return g, err
}

func (f *files) open(ctx context.Context, path string) (*code.Git, error) {
	p, err := tree.ProjectFor(ctx, f.st, path, f.by.ID)
	if fault.CodeOf(err) == fault.CodeNotFound || err == nil && !mayReadCode(f.by, p) {
		return nil, document.ErrNoProject
	}
	if err != nil {
		return nil, err
	}
	f.paths[p.ID] = p.FullPath
	return code.Open(ctx, f.st, p.Project)
}

// ofProject returns a file of another project.
func (f *files) ofProject(ctx context.Context, at document.Location) (document.File, error) {
	g, err := f.repo(ctx, at.Project)
	if err != nil {
		return document.File{}, err
	}
	id, err := g.Resolve(ctx, "Ref", at.Ref)
	if err != nil {
		return document.File{}, instead(err, document.ErrNoRef)
	}
	return f.file(ctx, g, f.origin(g, id), at.Path)
}

// instead returns the reason why a file cannot be had in place of a not-found fault.
func instead(err, reason error) error {
	if fault.CodeOf(err) == fault.CodeNotFound {
		return reason
	}
	return err
}

// origin returns a commit of a repository as what local paths refer to.
func (f *files) origin(g *code.Git, id object.ID) document.Origin {
	return document.Origin{ProjectID: *g.ProjectID, Project: f.paths[*g.ProjectID], SHA: id.String()}
}

// file returns a file of a commit.
func (f *files) file(ctx context.Context, g *code.Git, at document.Origin, path string) (document.File, error) {
	most := f.settings.MaxYAMLBytes
	content, err := g.ReadSmallFile(ctx, at.SHA, path, most)
	switch {
	case err != nil:
		return document.File{}, instead(err, document.ErrNoFile)
	case content == nil:
		return document.File{}, &document.Error{Text: "The provided YAML is too big"}
	}
	return document.File{
		Content: content, Origin: at,
		Blob: f.site.Web(at.Project + "/-/blob/" + at.SHA + "/" + path),
		Raw:  f.site.Web(at.Project + "/-/raw/" + at.SHA + "/" + path),
	}, nil
}
