package ci

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"hew/server/ci/definition"
	"hew/server/ci/expression"
	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
)

// JobCache is a cache as a runner gets it: with its key, which it may still expand.
type JobCache struct {
	definition.Cache
	Key          string
	FallbackKeys []string
}

// readCaches decides the keys of the caches. Those of jobs of protected refs have keys of their
// own, so that others cannot give them files (CI facts §1.5).
func (w *Work) readCaches(ctx context.Context, st *db.Store) error {
	keys := fileKeys{w: w, st: st}
	for n, c := range w.Definition.Options.Cache {
		key, err := keys.of(ctx, n, c.Key)
		if err != nil {
			return err
		}
		suffix := ""
		switch {
		case !w.Project.Settings.CISeparatedCaches:
		case w.Pipeline.Protected && !c.Unprotect:
			suffix = "-protected"
		default:
			suffix = "-non_protected"
		}
		cache := JobCache{Cache: c, Key: key + suffix, FallbackKeys: []string{}}
		for _, fallback := range c.FallbackKeys {
			cache.FallbackKeys = append(cache.FallbackKeys, fallback+suffix)
		}
		cache.Policy = expression.Expand(c.Policy, w.Lookup())
		w.Caches = append(w.Caches, cache)
	}
	return nil
}

// fileKeys makes keys of the ids of files, or of the commits that changed them last.
type fileKeys struct {
	w     *Work
	st    *db.Store
	git   *code.Git
	paths map[string]object.ID // all files, once a pattern asked for them
}

// maxKeyCommits is of how many files of a pattern the last commits are looked up.
const maxKeyCommits = 100

// of returns the key of the nth cache of the job.
func (k *fileKeys) of(ctx context.Context, n int, key definition.CacheKey) (string, error) {
	files := slices.Concat(key.Files, key.FilesCommits)
	switch {
	case len(files) == 0 && key.Text == "":
		return "default", nil
	case len(files) == 0:
		return key.Text, nil
	}
	var ids []string
	for _, pattern := range files {
		found, err := k.find(ctx, expression.Expand(pattern, k.w.Lookup()))
		if err == nil && len(key.FilesCommits) > 0 {
			found, err = k.lastCommits(ctx, found)
		}
		if err != nil {
			return "", err
		}
		for _, id := range found {
			ids = append(ids, id.String())
		}
	}
	digest := "default"
	if len(ids) > 0 {
		slices.Sort(ids)
		sum := sha1.Sum([]byte(strings.Join(ids, "-")))
		digest = hex.EncodeToString(sum[:])
	}
	prefix := key.Prefix
	if prefix == "" {
		names := make([]string, len(files))
		for i, name := range files {
			names[i], _, _ = strings.Cut(name, ".")
		}
		prefix = fmt.Sprint(n, "_", strings.Join(names, "_"))
	}
	return prefix + "-" + digest, nil
}

// lastCommits returns the commits that changed files last, by the path of the file.
func (k *fileKeys) lastCommits(ctx context.Context, files map[string]object.ID) (map[string]object.ID, error) {
	last := map[string]object.ID{}
	paths := slices.Sorted(maps.Keys(files))
	for _, path := range paths[:min(len(paths), maxKeyCommits)] {
		id, err := k.git.LastCommit(ctx, k.w.Pipeline.Commit, path)
		if err != nil {
			return nil, err
		}
		last[path] = id
	}
	return last, nil
}

// find returns the ids of the files that match a path, which may have wildcards.
func (k *fileKeys) find(ctx context.Context, pattern string) (found map[string]object.ID, err error) {
	if k.git == nil {
		if k.git, err = code.Open(ctx, k.st, k.w.Project); err != nil {
			return nil, err
		}
	}
	commit := k.w.Pipeline.Commit.String()
	if !strings.ContainsAny(pattern, "*?[{") {
		f, err := k.git.FindFile(ctx, commit, pattern)
		if err != nil {
			return nil, fault.IgnoreNotFound(err)
		}
		return map[string]object.ID{pattern: f.ID}, nil
	}
	if k.paths == nil {
		list, err := k.git.ListTree(ctx, code.Listing{Revision: commit, Recursive: true, Limit: maxCacheFiles})
		if err != nil {
			return nil, err
		}
		k.paths = map[string]object.ID{}
		for _, f := range list {
			k.paths[f.Path] = f.Entry.ID
		}
	}
	glob, found := expression.NewGlob(pattern), map[string]object.ID{}
	for path, id := range k.paths {
		if glob.Match(path) {
			found[path] = id
		}
	}
	return found, nil
}

// maxCacheFiles is how many files of a repository the wildcards of a cache key are compared with.
const maxCacheFiles = 50_000
