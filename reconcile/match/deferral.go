package match

// Deferral makes declarations wait for others that may be matched first, until nothing else can
// proceed.
type Deferral struct {
	waiting bool // a declaration waits
	forced  bool // nothing else can proceed, so none waits
}

// Wait reports whether a declaration has to wait, and records that it does.
func (d *Deferral) Wait() bool {
	d.waiting = d.waiting || !d.forced
	return !d.forced
}

// Resume makes declarations wait again, although others have been forced to proceed.
func (d *Deferral) Resume() { d.forced = false }

// StopWaiting takes the next step of a run without waiting, if something waits and nothing else can
// proceed. It reports whether something has to be read then.
func (d *Deferral) StopWaiting(w *World, advance func()) bool {
	if !d.waiting || w.HasStale() {
		return false
	}
	d.forced, d.waiting = true, false
	advance()
	d.forced = false
	return w.WantsReading()
}
