package code

import (
	"context"
	"path"

	"github.com/go-enry/go-enry/v2"

	"hew/server/git/object"
	gittree "hew/server/git/tree"
)

const (
	maxLanguageFiles = 20_000   // files of a tree that are counted
	maxLanguageRead  = 64 << 10 // bytes of a file that tell its language where the name does not
)

// Languages returns the languages of the files of a commit and the bytes in each. Data, prose,
// vendored and generated files and documentation do not count.
func (g *Git) Languages(ctx context.Context, c Commit) (map[string]int64, error) {
	sizes := map[string]int64{}
	seen := 0
	for f, err := range gittree.Walk(ctx, g, c.Tree, gittree.Options{Recursive: true}) {
		if err != nil {
			return nil, err
		}
		if seen++; seen > maxLanguageFiles {
			return sizes, nil
		}
		regular := f.Entry.Mode == object.ModeFile || f.Entry.Mode == object.ModeExecutable
		if !regular || enry.IsVendor(f.Path) || enry.IsDotFile(f.Path) || enry.IsDocumentation(f.Path) {
			continue
		}
		size, err := g.Size(ctx, f.Entry.ID)
		if err != nil {
			return nil, err
		}
		language, err := g.languageOf(ctx, f, size)
		if err != nil {
			return nil, err
		}
		switch enry.GetLanguageType(language) {
		case enry.Programming, enry.Markup:
			sizes[groupOf(language)] += size
		}
	}
	return sizes, nil
}

// languageOf returns the language of a file by its name or, where names do not tell, by its
// content.
func (g *Git) languageOf(ctx context.Context, f gittree.File, size int64) (string, error) {
	name := path.Base(f.Path)
	if language, ok := enry.GetLanguageByFilename(name); ok {
		return language, nil
	}
	language, ok := enry.GetLanguageByExtension(name)
	if ok || size > maxLanguageRead {
		return language, nil
	}
	o, err := g.Object(ctx, f.Entry.ID)
	if err != nil {
		return "", err
	}
	return enry.GetLanguage(name, o.Data), nil
}

// groupOf returns the language that a dialect counts to.
func groupOf(language string) string {
	if group := enry.GetLanguageGroup(language); group != "" {
		return group
	}
	return language
}
