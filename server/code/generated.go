package code

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"

	"github.com/go-enry/go-enry/v2"

	"hew/server/git/exec"
	"hew/server/git/object"
	gittree "hew/server/git/tree"
)

// generatedAttribute is the attribute of .gitattributes that says whether a file is generated.
const generatedAttribute = "gitlab-generated"

// Generated reports which of the files of a commit are generated, so that a difference need not be
// shown: those with the attribute gitlab-generated and, where it is not given, those whose names
// say so, such as lock files, minified and vendored ones.
func (g *Git) Generated(ctx context.Context, commit object.ID, paths []string) (map[string]bool, error) {
	generated := make(map[string]bool, len(paths))
	for _, path := range paths {
		generated[path] = isGeneratedName(path)
	}
	root, err := g.treeOf(ctx, commit)
	if err != nil {
		return nil, err
	}
	index, err := g.attributeFiles(ctx, root, paths)
	if err != nil || index == "" {
		return generated, err
	}
	return generated, g.storage.inTemporary("attributes-", func(dir string) error {
		env := []string{"GIT_INDEX_FILE=" + filepath.Join(dir, "index")}
		nothing := func(io.Reader) error { return nil }
		if err := g.run(ctx, exec.Command{
			Args: []string{"update-index", "-z", "--index-info"}, Stdin: strings.NewReader(index), Env: env,
		}, nothing); err != nil {
			return err
		}
		return g.run(ctx, exec.Command{
			Args:  []string{"check-attr", "--cached", "-z", "--stdin", generatedAttribute},
			Stdin: strings.NewReader(strings.Join(paths, "\x00") + "\x00"), Env: env,
		}, func(r io.Reader) error { return readGenerated(r, generated) })
	})
}

// isGeneratedName reports whether the name of a file says that it is generated. It is narrower than
// what does not count for languages: people write configure and .github, and want to review them.
func isGeneratedName(name string) bool {
	switch path.Base(name) {
	case "go.sum", "yarn.lock", "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "Cargo.lock", "Gemfile.lock",
		"composer.lock", "poetry.lock", "Pipfile.lock", "packages.lock.json", "mix.lock", "flake.lock":
		return true
	}
	for dir := range strings.SplitSeq(path.Dir(name), "/") {
		if dir == "vendor" || dir == "node_modules" {
			return true
		}
	}
	return strings.HasSuffix(name, ".min.js") || strings.HasSuffix(name, ".min.css") || enry.IsGenerated(name, nil)
}

// readGenerated reads path, attribute and value, each with a NUL at its end.
func readGenerated(r io.Reader, generated map[string]bool) error {
	text, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	fields := strings.Split(string(text), "\x00")
	for ; len(fields) > 2; fields = fields[3:] {
		switch fields[2] {
		case "set", "true":
			generated[fields[0]] = true
		case "unset", "false":
			generated[fields[0]] = false
		}
	}
	return nil
}

// attributeFiles returns the files of a tree that give the attribute to some of the paths, as git
// takes them for an index; "" if there are none.
func (g *Git) attributeFiles(ctx context.Context, root object.ID, paths []string) (string, error) {
	const name = ".gitattributes"
	seen := map[string]bool{}
	var index strings.Builder
	look := func(file string) error {
		if seen[file] {
			return nil
		}
		seen[file] = true
		entry, err := gittree.Lookup(ctx, g, root, file)
		if errors.Is(err, object.ErrNotFound) || err == nil && entry.Mode != object.ModeFile {
			return nil
		}
		if err != nil {
			return err
		}
		o, err := g.Object(ctx, entry.ID)
		if err == nil && bytes.Contains(o.Data, []byte(generatedAttribute)) {
			fmt.Fprintf(&index, "100644 %s\t%s\x00", entry.ID, file)
		}
		return err
	}
	for _, path := range paths {
		if err := look(name); err != nil {
			return "", err
		}
		for _, dir := range directories(path) {
			if err := look(dir + "/" + name); err != nil {
				return "", err
			}
		}
	}
	return index.String(), nil
}
