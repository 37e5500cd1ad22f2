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

// issuePath is the path of the page of an issue.
var issuePath = regexp.MustCompile(`^([\w./-]+?)/(?:-/)?(?:issues|work_items)/([0-9]{1,9})(?:[#?].*)?$`)

// thingRef is the full path of a project or group and the number of an issue or epic there.
type thingRef struct {
	path string
	iid  int
}

// issueRefOf returns the issue that a reference names; ok is false if it names something else.
func (p Place) issueRefOf(r markdown.Reference) (ref thingRef, ok bool) {
	switch r.Kind {
	case markdown.Issue:
		if r.Number > math.MaxInt32 || r.Path == "" && p.Group {
			return ref, false
		}
		return thingRef{p.resolve(r.Path), int(r.Number)}, true
	case markdown.URL:
		below, ours := strings.CutPrefix(r.URL, p.Base+"/")
		parts := issuePath.FindStringSubmatch(below)
		if !ours || parts == nil {
			return ref, false
		}
		iid, _ := strconv.Atoi(parts[2]) // digits
		return thingRef{parts[1], iid}, true
	}
	return ref, false
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

// ReferredIssues returns the issues that references in a place name and the viewer sees, each once,
// in the order of the references. It follows a hundred at most.
func (v Viewer) ReferredIssues(
	ctx context.Context, s *db.Store, at Place, list []markdown.Reference,
) ([]Issue, error) {
	refs := refsOf(list, at.issueRefOf)
	if len(refs) == 0 {
		return nil, nil
	}
	w := db.NewWhere(v.Args())
	namedBy(w, refs)
	w.And(v.seesIssues())
	w.And(v.seesConfidential())
	found, err := db.Many[Issue](ctx, s, selectIssues+` join namespaces n on n.id = p.namespace_id
		join unnest(@paths::text[], @iids::int[]) as x(path, iid) on x.iid = t.iid
		join routes r on r.project_id = p.id and r.key = x.path and not r.former`+w.String(), w.Args)
	return inOrder(refs, found, refOf), err
}

func refOf(i Issue) thingRef { return thingRef{strings.ToLower(i.Path), i.IID} }

// group returns the full path of the group whose epics a number without a path refers to.
func (p Place) group() string {
	if p.Group {
		return p.Path
	}
	return path.Dir(p.Path)
}

// epicPath is the path of the page of an epic.
var epicPath = regexp.MustCompile(`^groups/([\w./-]+?)/-/epics/([0-9]{1,9})(?:[#?].*)?$`)

// epicRefOf returns the epic that a reference names; ok is false if it names something else.
func (p Place) epicRefOf(r markdown.Reference) (ref thingRef, ok bool) {
	switch r.Kind {
	case markdown.Epic:
		return thingRef{cmp.Or(r.Path, p.group()), int(r.Number)}, r.Number <= math.MaxInt32
	case markdown.URL:
		below, ours := strings.CutPrefix(r.URL, p.Base+"/")
		parts := epicPath.FindStringSubmatch(below)
		if !ours || parts == nil {
			return ref, false
		}
		iid, _ := strconv.Atoi(parts[2]) // digits
		return thingRef{parts[1], iid}, true
	}
	return ref, false
}

// ReferredEpics returns the epics that references in a place name and the viewer sees, as
// ReferredIssues does issues.
func (v Viewer) ReferredEpics(
	ctx context.Context, s *db.Store, at Place, list []markdown.Reference,
) ([]Epic, error) {
	refs := refsOf(list, at.epicRefOf)
	if len(refs) == 0 {
		return nil, nil
	}
	w := db.NewWhere(v.Args())
	namedBy(w, refs)
	w.And(v.seesEpics())
	w.And(v.seesConfidentialEpics())
	found, err := db.Many[Epic](ctx, s, selectEpics+` join unnest(@paths::text[], @iids::int[]) as x(path, iid)
		on x.iid = t.iid join routes r on r.namespace_id = n.id and r.key = x.path and not r.former`+w.String(), w.Args)
	return inOrder(refs, found, func(e Epic) thingRef { return thingRef{strings.ToLower(e.Path), e.IID} }), err
}

// refsOf returns what references name, a hundred at most, with paths in lower case.
func refsOf(list []markdown.Reference, of func(markdown.Reference) (thingRef, bool)) (refs []thingRef) {
	for _, r := range list {
		if ref, ok := of(r); ok && len(refs) < maxReferences {
			ref.path = strings.ToLower(ref.path)
			refs = append(refs, ref)
		}
	}
	return refs
}

// namedBy sets the arguments @paths and @iids of a query of what references name.
func namedBy(w *db.Where, refs []thingRef) {
	paths, iids := make([]string, len(refs)), make([]int, len(refs))
	for n, ref := range refs {
		paths[n], iids[n] = ref.path, ref.iid
	}
	w.Args["paths"], w.Args["iids"] = paths, iids
}

// inOrder sorts what was found in the order of the references, each once.
func inOrder[T any](refs []thingRef, found []T, ref func(T) thingRef) []T {
	slices.SortFunc(found, func(a, b T) int { return slices.Index(refs, ref(a)) - slices.Index(refs, ref(b)) })
	return slices.CompactFunc(found, func(a, b T) bool { return ref(a) == ref(b) })
}
