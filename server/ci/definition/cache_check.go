package definition

import (
	"net/url"
	"slices"
	"strings"

	"hew/server/ci/document"
)

// The limits of caches.
const (
	maxCaches       = 4
	maxKeyFiles     = 2
	maxFallbackKeys = 5
)

// readCaches reads one cache or several.
func readCaches(j *Job, e entry) {
	j.Options.Cache = []Cache{}
	items := []*document.Node{e.node}
	if e.is(document.List) {
		items = e.node.Items
	}
	if len(items) > maxCaches {
		all := e
		all.location += "s"
		all.fail("no more than %d caches can be created", maxCaches)
		return
	}
	for _, item := range items {
		j.Options.Cache = append(j.Options.Cache, e.item(e.location, item).cache())
	}
}

// cache reads one cache.
func (e entry) cache() Cache {
	c := Cache{When: "on_success", Policy: "pull-push"}
	if !e.is(document.Map) {
		e.fail("should be a hash")
		return c
	}
	e.keys("key", "untracked", "paths", "when", "policy", "unprotect", "fallback_keys")
	c.Key = e.sub("key").cacheKey()
	c.Paths = e.sub("paths").strings()
	c.Untracked = e.sub("untracked").boolean()
	c.Unprotect = e.field("unprotect").boolean()
	whens := []string{"on_success", "on_failure", "always"}
	if when := e.field("when").oneOf(shouldBeOneOf(whens...), whens...); when != "" {
		c.When = when
	}
	if policy := e.field("policy"); policy.given() {
		text, _ := scalar(policy.node)
		if !slices.Contains([]string{"pull-push", "push", "pull"}, text) && !isVariable(text) {
			policy.fail("should be a variable or one of: pull-push, push, pull")
		}
		c.Policy = text
	}
	fallback := e.field("fallback_keys")
	c.FallbackKeys = fallback.strings()
	if len(c.FallbackKeys) > maxFallbackKeys {
		fallback.fail("has too many entries (maximum %d)", maxFallbackKeys)
	}
	for _, key := range c.FallbackKeys {
		fallback.checkKey(key)
	}
	return c
}

// isVariable reports whether a text is one reference to a variable.
func isVariable(text string) bool {
	name, ok := strings.CutPrefix(text, "$")
	if inner, braced := strings.CutPrefix(name, "{"); braced {
		name, ok = strings.CutSuffix(inner, "}")
	}
	return ok && name != "" && strings.IndexFunc(name, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) < 0
}

// cacheKey reads a text or the files whose digest the key is.
func (e entry) cacheKey() (key CacheKey) {
	if !e.given() {
		return CacheKey{Text: "default"}
	}
	if !e.is(document.Map) {
		text, ok := scalar(e.node)
		if !ok || e.is(document.Bool) {
			e.fail("should be a hash, a string or a symbol")
			return key
		}
		e.checkKey(text)
		return CacheKey{Text: text}
	}
	e.keys("files", "files_commits", "prefix")
	key.Files = e.sub("files").keyFiles()
	key.FilesCommits = e.sub("files_commits").keyFiles()
	key.Prefix = e.sub("prefix").text()
	e.sub("prefix").checkKey(key.Prefix)
	files, commits := e.sub("files").given(), e.sub("files_commits").given()
	switch {
	case files && commits:
		e.fail("these keys cannot be used together: files, files_commits")
	case !files && !commits:
		e.fail("missing required keys: files")
	}
	return key
}

// keyFiles reads one or two names of files.
func (e entry) keyFiles() []string {
	if !e.given() {
		return nil
	}
	files := e.strings()
	switch {
	case len(files) > maxKeyFiles:
		e.fail("has too many items (maximum is %d)", maxKeyFiles)
	case len(files) == 0 && e.is(document.List):
		e.fail("requires at least 1 item")
	}
	return files
}

// checkKey reports a key that would leave its directory.
func (e entry) checkKey(key string) {
	if unescaped, err := url.QueryUnescape(key); err == nil {
		key = unescaped
	}
	switch {
	case strings.Contains(key, "/"):
		e.fail(`cannot contain the "/" character`)
	case key == ".", key == "..":
		e.fail(`cannot be "." or ".."`)
	}
}
