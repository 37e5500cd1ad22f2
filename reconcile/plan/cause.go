package plan

// CompleteCauses gives every difference of an object that others deleted or marked for deletion the
// cause drift, whether hew creates the object again or restores it.
func (p *Plan) CompleteCauses() {
	for i := range p.Changes {
		c := &p.Changes[i]
		switch {
		case c.Action == Create && c.Cause == ByDrift:
			for j := range c.Paths {
				c.Paths[j].Cause = ByDrift
			}
		case c.Restore && c.Entry != nil && c.Cause == "":
			c.Cause = ByDrift
		}
	}
}

// markNotFound turns the creation of objects that the ledger has into NotFound, because they may
// exist where the token cannot see them.
func (p *Plan) markNotFound() {
	for i := range p.Changes {
		if c := &p.Changes[i]; c.Action == Create && c.Gone {
			c.Action, c.Cause, c.Why, c.Paths = NotFound, "", "", nil
		}
	}
}
