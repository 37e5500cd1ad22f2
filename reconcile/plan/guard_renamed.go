package plan

import (
	"fmt"

	"hew/reconcile/guard"
)

// renamed finds changes that would treat another account or group as the one that was applied.
func renamed(changes []*Change, _ *Plan, _ *Facts) []Finding {
	var out []Finding
	for _, c := range changes {
		if !c.Changes() {
			continue
		}
		for _, m := range c.Renamed {
			kind := m.Attr.RefKind()
			now, fix := "does not exist any more", ""
			if m.Called != "" {
				now = "is now called " + m.Called
				fix = fmt.Sprintf("If you mean the same %s, write %q. ", kind, m.Called)
			}
			out = append(out,
				finding(fmt.Sprintf("%s %s is another %s than when hew applied %s: it has id %s now. The %s "+
					"with id %s %s.", kind, m.Name, kind, c.title(), m.Is, kind, m.Was, now),
					fix+c.liftAdvice(guard.RenamedUser), c))
		}
	}
	return out
}
