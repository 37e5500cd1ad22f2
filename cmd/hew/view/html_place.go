package view

import (
	"slices"
	"strings"

	"hew/reconcile/report"
)

// webPart are changes below a title of their own.
type webPart struct {
	Title   string
	Groups  []*webGroup
	Changes []*webChange
}

// Signs counts the changes by sign.
func (p webPart) Signs() report.Signs {
	n := signsOf(p.Changes)
	for _, g := range p.Groups {
		n.Join(g.Signs())
	}
	return n
}

// webPlace is a group or a project, with what changes in it by kind, and the places in it.
type webPlace struct {
	Path, Name string
	Kinds      []webPart
	Places     []*webPlace
	Signs      report.Signs
	Open       bool
}

// nowhere is said in the place of the path of what is in no group and no project.
const nowhere = "In no group or project"

// unfoldAtMost is how many lines of the tree are unfolded from the start.
const unfoldAtMost = 60

// places is the tree of groups and projects in which something changes.
func places(all []*webChange) []*webPlace {
	root := &webPlace{}
	under := map[string]*webPlace{"": root}
	var at func(path string) *webPlace
	at = func(path string) *webPlace {
		if p := under[path]; p != nil {
			return p
		}
		parent, name := "", path
		if i := strings.LastIndexByte(path, '/'); i >= 0 {
			parent, name = path[:i], path[i+1:]
		}
		p := &webPlace{Path: path, Name: name}
		under[path] = p
		above := at(parent)
		above.Places = append(above.Places, p)
		return p
	}
	for _, c := range byKind(all) {
		p := at(c.Place)
		if n := len(p.Kinds); n == 0 || p.Kinds[n-1].Title != c.Kind {
			p.Kinds = append(p.Kinds, webPart{Title: c.Kind})
		}
		last := &p.Kinds[len(p.Kinds)-1]
		last.Changes = append(last.Changes, c)
	}
	root.settle()
	if root.Kinds != nil {
		root.Places = append(root.Places, &webPlace{Name: nowhere, Kinds: root.Kinds, Signs: root.own()})
	}
	unfold(root.Places)
	return root.Places
}

// settle sorts and counts what is in a place. One with nothing but a single other place in
// it is the same line as that.
func (p *webPlace) settle() {
	p.Signs = p.own()
	slices.SortFunc(p.Places, func(x, y *webPlace) int { return strings.Compare(x.Name, y.Name) })
	for _, in := range p.Places {
		in.settle()
		p.Signs.Join(in.Signs)
	}
	if p.Path != "" && len(p.Kinds) == 0 && len(p.Places) == 1 {
		only := p.Places[0]
		only.Name = p.Name + "/" + only.Name
		*p = *only
	}
}

// Lone tells whether all that is in a place is of one kind, which needs no line of its own.
func (p *webPlace) Lone() bool { return len(p.Kinds) == 1 && len(p.Places) == 0 }

// own counts the changes in the place itself.
func (p *webPlace) own() report.Signs {
	n := report.Signs{}
	for _, k := range p.Kinds {
		n.Join(k.Signs())
	}
	return n
}

// unfold opens places from above, as long as there are not too many lines.
func unfold(all []*webPlace) {
	lines := len(all)
	for len(all) > 0 {
		var below []*webPlace
		for _, p := range all {
			inside := len(p.Places)
			for _, k := range p.Kinds {
				inside += 1 + len(k.Changes)
			}
			if lines += inside; lines > unfoldAtMost && len(all) > 1 {
				return
			}
			p.Open = true
			below = append(below, p.Places...)
		}
		all = below
	}
}
