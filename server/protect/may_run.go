package protect

import "hew/server/policy"

// MayRun reports whether the pusher may run pipelines for a branch or tag, and act on their jobs:
// developers, and where it is protected those who may change it by a push or a merge.
func (p *Protection) MayRun(kind RefKind, name string) bool {
	switch {
	case !p.by.Admin && p.by.Level < policy.Developer:
		return false
	case !p.Protects(kind, name):
		return true
	case kind == Tag:
		return p.May(Create, Tag, name)
	}
	return p.May(Push, Branch, name) || p.May(Merge, Branch, name)
}
