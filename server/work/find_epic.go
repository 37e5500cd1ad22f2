package work

import (
	"cmp"
	"context"
	"math"
	"path"
	"regexp"
	"strconv"
	"strings"

	"hew/server/db"
	"hew/server/markdown"
)

// epicPath is the path of the page of an epic.
var epicPath = regexp.MustCompile(`^groups/([\w./-]+?)/-/epics/([0-9]{1,9})(?:[#?].*)?$`)

// findEpic returns the epic that a reference names; ok is false if it names something else.
func (p Place) findEpic(r markdown.Reference) (ref Numbered, ok bool) {
	switch r.Kind {
	case markdown.Epic:
		return Numbered{cmp.Or(r.Path, p.group()), int(r.Number)}, r.Number <= math.MaxInt32
	case markdown.URL:
		below, ours := strings.CutPrefix(r.URL, p.Base+"/")
		parts := epicPath.FindStringSubmatch(below)
		if !ours || parts == nil {
			return ref, false
		}
		iid, _ := strconv.Atoi(parts[2]) // digits
		return Numbered{parts[1], iid}, true
	}
	return ref, false
}

// group returns the full path of the group whose epics a number without a path refers to.
func (p Place) group() string {
	if p.Group {
		return p.Path
	}
	return path.Dir(p.Path)
}

// ReferredEpics returns the epics that references in a place name and the viewer sees, as
// ReferredIssues does issues.
func (v Viewer) ReferredEpics(
	ctx context.Context, s *db.Store, at Place, list []markdown.Reference,
) ([]Epic, error) {
	refs := numbered(list, at.findEpic)
	if len(refs) == 0 {
		return nil, nil
	}
	w := db.NewWhere(v.Args())
	nameNumbered(w, refs)
	w.And(v.seesEpics())
	w.And(v.seesConfidentialEpics())
	found, err := db.Many[Epic](ctx, s, selectEpics+` join unnest(@paths::text[], @iids::int[]) as x(path, iid)
		on x.iid = t.iid join routes r on r.namespace_id = n.id and r.key = x.path and not r.former`+w.String(), w.Args)
	return InOrder(found, refs, func(e Epic) Numbered { return Numbered{strings.ToLower(e.Path), e.IID} }), err
}
