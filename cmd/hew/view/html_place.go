package view

import (
	"slices"
	"strings"

	"hew/reconcile/report"
)

// webPart is changes below a title.
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

// webPlace is a group or a project, with its changes by kind and the places in it.
type webPlace struct {
	Path, Name string
	Kinds      []webPart
	Places     []*webPlace
	Signs      report.Signs
	Open       bool
}

// noPlace is the title of changes in no group or project.
const noPlace = "Not in a group or project"

// openLines is how many lines of the tree are open at first.
const openLines = 60

// placeTree returns the tree of groups and projects in which something changes.
func placeTree(all []*webChange) []*webPlace {
	root := &webPlace{}
	byPath := map[string]*webPlace{"": root}
	var at func(path string) *webPlace
	at = func(path string) *webPlace {
		if p := byPath[path]; p != nil {
			return p
		}
		parent, name := "", path
		if i := strings.LastIndexByte(path, '/'); i >= 0 {
			parent, name = path[:i], path[i+1:]
		}
		p := &webPlace{Path: path, Name: name}
		byPath[path] = p
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
	root.sortAndCount()
	if root.Kinds != nil {
		root.Places = append(root.Places, &webPlace{Name: noPlace, Kinds: root.Kinds, Signs: root.own()})
	}
	openPlaces(root.Places)
	return root.Places
}

// sortAndCount sorts and counts what is in a place. A place whose only content is one other place
// becomes one line with it.
func (p *webPlace) sortAndCount() {
	p.Signs = p.own()
	slices.SortFunc(p.Places, func(x, y *webPlace) int { return strings.Compare(x.Name, y.Name) })
	for _, in := range p.Places {
		in.sortAndCount()
		p.Signs.Join(in.Signs)
	}
	if p.Path != "" && len(p.Kinds) == 0 && len(p.Places) == 1 {
		only := p.Places[0]
		only.Name = p.Name + "/" + only.Name
		*p = *only
	}
}

// Lone reports whether all changes in a place are of one kind, which then needs no line of its
// own.
func (p *webPlace) Lone() bool { return len(p.Kinds) == 1 && len(p.Places) == 0 }

// own counts the changes directly in the place.
func (p *webPlace) own() report.Signs {
	n := report.Signs{}
	for _, k := range p.Kinds {
		n.Join(k.Signs())
	}
	return n
}

// openPlaces opens places from the top down, up to openLines.
func openPlaces(all []*webPlace) {
	lines := len(all)
	for len(all) > 0 {
		var below []*webPlace
		for _, p := range all {
			inside := len(p.Places)
			for _, k := range p.Kinds {
				inside += 1 + len(k.Changes)
			}
			if lines += inside; lines > openLines && len(all) > 1 {
				return
			}
			p.Open = true
			below = append(below, p.Places...)
		}
		all = below
	}
}
