package work

import (
	"context"
	"maps"
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

// Place is where a text stands that refers to issues.
type Place struct {
	Base string // the address of the server, without a trailing slash
	Path string // full path of the project or group
	// the text is a group's: a number without a path is that of no issue, and a name is that of a
	// project in the group
	Group bool
}

// issuePath is the path of the page of an issue.
var issuePath = regexp.MustCompile(`^([\w./-]+?)/(?:-/)?(?:issues|work_items)/([0-9]{1,9})(?:[#?].*)?$`)

// issueRef is the full path of a project and the number of an issue.
type issueRef struct {
	path string
	iid  int
}

// issueRefOf returns the issue that a reference names; ok is false if it names something else.
func (p Place) issueRefOf(r markdown.Reference) (ref issueRef, ok bool) {
	switch r.Kind {
	case markdown.Issue:
		if r.Number > math.MaxInt32 || r.Path == "" && p.Group {
			return ref, false
		}
		return issueRef{p.resolve(r.Path), int(r.Number)}, true
	case markdown.URL:
		below, ours := strings.CutPrefix(r.URL, p.Base+"/")
		parts := issuePath.FindStringSubmatch(below)
		if !ours || parts == nil {
			return ref, false
		}
		iid, _ := strconv.Atoi(parts[2]) // digits
		return issueRef{parts[1], iid}, true
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
	var refs []issueRef
	for _, r := range list {
		if ref, ok := at.issueRefOf(r); ok && len(refs) < maxReferences {
			ref.path = strings.ToLower(ref.path)
			refs = append(refs, ref)
		}
	}
	if len(refs) == 0 {
		return nil, nil
	}
	paths, iids := make([]string, len(refs)), make([]int, len(refs))
	for n, ref := range refs {
		paths[n], iids[n] = ref.path, ref.iid
	}
	w := db.NewWhere(nil)
	maps.Copy(w.Args, v.Args())
	w.Args["paths"], w.Args["iids"] = paths, iids
	w.And(v.seesIssues())
	w.And(v.seesConfidential())
	found, err := db.Many[Issue](ctx, s, selectIssues+` join namespaces n on n.id = p.namespace_id
		join unnest(@paths::text[], @iids::int[]) as x(path, iid) on x.iid = t.iid
		join routes r on r.project_id = p.id and r.key = x.path and not r.former`+w.String(), w.Args)
	slices.SortFunc(found, func(a, b Issue) int {
		return slices.Index(refs, refOf(a)) - slices.Index(refs, refOf(b))
	})
	return slices.CompactFunc(found, func(a, b Issue) bool { return a.ID == b.ID }), err
}

func refOf(i Issue) issueRef { return issueRef{strings.ToLower(i.Path), i.IID} }
