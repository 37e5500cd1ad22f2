package work

import (
	"cmp"
	"context"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"hew/server/db"
	"hew/server/markdown"
)

// maxReferences is how many references of a text are followed.
const maxReferences = 100

// Place is where a text stands that refers to issues and epics.
type Place struct {
	Base string // the address of the server, without a trailing slash
	Path string // full path of the project or group
	// the text is a group's: a number without a path is that of no issue, and a name is that of a
	// project in the group
	Group bool
}

// Referent is a kind of thing of projects that texts refer to by a number.
type Referent struct {
	kind markdown.Kind
	page *regexp.Regexp // the path of the page of one
}

// The kinds of things that texts refer to.
var (
	IssueReferent   = Referent{markdown.Issue, pageOf(`(?:issues|work_items)`)}
	RequestReferent = Referent{markdown.MergeRequest, pageOf(`merge_requests`)}
)

func pageOf(name string) *regexp.Regexp {
	return regexp.MustCompile(`^([\w./-]+?)/(?:-/)?` + name + `/([0-9]{1,9})(?:[/#?].*)?$`)
}

// Numbered is what a text refers to: the thing with a number in the project with a full path, in
// lower case.
type Numbered struct {
	Path string
	IID  int
}

// find returns what a reference names; ok is false if it is of another kind.
func (k Referent) find(p Place, r markdown.Reference) (ref Numbered, ok bool) {
	switch r.Kind {
	case k.kind:
		if r.Number > math.MaxInt32 || r.Path == "" && p.Group {
			return ref, false
		}
		return Numbered{p.resolve(r.Path), int(r.Number)}, true
	case markdown.URL:
		below, ours := strings.CutPrefix(r.URL, p.Base+"/")
		parts := k.page.FindStringSubmatch(below)
		if !ours || parts == nil {
			return ref, false
		}
		iid, _ := strconv.Atoi(parts[2]) // digits
		return Numbered{parts[1], iid}, true
	}
	return ref, false
}

// Find returns those of the references of a text in a place that are of the kind, a hundred at
// most.
func (k Referent) Find(p Place, list []markdown.Reference) []Numbered {
	return numbered(list, func(r markdown.Reference) (Numbered, bool) { return k.find(p, r) })
}

// numbered returns what references name, a hundred at most, with paths in lower case.
func numbered(list []markdown.Reference, of func(markdown.Reference) (Numbered, bool)) (refs []Numbered) {
	for _, r := range list {
		if ref, ok := of(r); ok && len(refs) < maxReferences {
			ref.Path = strings.ToLower(ref.Path)
			refs = append(refs, ref)
		}
	}
	return refs
}

// resolve returns the full path that a path means in the place.
func (p Place) resolve(relative string) string {
	switch {
	case relative == "":
		return p.Path
	case strings.Contains(relative, "/"):
		return relative
	case p.Group:
		return p.Path + "/" + relative
	}
	return path.Join(path.Dir(p.Path), relative)
}

// lookupPath returns the path, in lower case, of the project or group in which a reference of the
// place names something.
func (p Place) lookupPath(r markdown.Reference) string {
	if r.Kind == markdown.Epic {
		return strings.ToLower(cmp.Or(r.Path, p.group()))
	}
	return strings.ToLower(p.resolve(r.Path))
}

// relative returns the path by which a full path is written in the place.
func (p Place) relative(full string) string {
	if !p.Group {
		return RelativePath(full, p.Path)
	}
	if path.Dir(full) == p.Path {
		return path.Base(full)
	}
	return full
}

// ReferredIssues returns the issues that references in a place name and the viewer sees, each once,
// in the order of the references. It follows a hundred at most.
func (v Viewer) ReferredIssues(
	ctx context.Context, s *db.Store, at Place, list []markdown.Reference,
) ([]Issue, error) {
	refs := IssueReferent.Find(at, list)
	if len(refs) == 0 {
		return nil, nil
	}
	w := db.NewWhere(v.Args())
	w.And(v.seesIssues())
	w.And(v.seesConfidential())
	found, err := FindNumbered[Issue](ctx, s, refs, selectIssues, w)
	return InOrder(found, refs, func(i Issue) Numbered { return Numbered{strings.ToLower(i.Path), i.IID} }), err
}

// FindNumbered returns the rows t of projects p that a query selects and that are referred to, if
// they meet the conditions, which may name the namespace n of the project.
func FindNumbered[T any](
	ctx context.Context, s *db.Store, refs []Numbered, query string, w *db.Where,
) ([]T, error) {
	nameNumbered(w, refs)
	return db.Many[T](ctx, s, query+` join namespaces n on n.id = p.namespace_id
		join unnest(@paths::text[], @iids::int[]) as x(path, iid) on x.iid = t.iid
		join routes r on r.project_id = p.id and r.key = x.path and not r.former`+w.String(), w.Args)
}

// nameNumbered sets the arguments @paths and @iids of a query of what is referred to.
func nameNumbered(w *db.Where, refs []Numbered) {
	paths, iids := make([]string, len(refs)), make([]int, len(refs))
	for n, ref := range refs {
		paths[n], iids[n] = ref.Path, ref.IID
	}
	w.Args["paths"], w.Args["iids"] = paths, iids
}

// InOrder returns what was found in the order of the references, each once.
func InOrder[T any](found []T, refs []Numbered, of func(T) Numbered) []T {
	slices.SortFunc(found, func(a, b T) int { return slices.Index(refs, of(a)) - slices.Index(refs, of(b)) })
	return slices.CompactFunc(found, func(a, b T) bool { return of(a) == of(b) })
}
