package protect

// MayRun reports whether somebody may run pipelines of a branch or tag, which may read what is kept
// for protected refs: of a protected one who may push or merge to the branch, or create the tag; of
// others whoever may run pipelines of the project at all.
func (p *Protection) MayRun(kind RefKind, name string) bool {
	switch {
	case !p.Protects(kind, name):
		return true
	case kind == Tag:
		return p.May(Create, Tag, name)
	}
	return p.May(Push, Branch, name) || p.May(Merge, Branch, name)
}
