package exec

import "time"

// FindWithin is Find with the time that the program has.
func FindWithin(path string, timeout time.Duration) (*Git, error) { return findWithin(path, timeout) }

// SetGrace sets how long Run waits for pipes after the process ended.
func (g *Git) SetGrace(grace time.Duration) { g.grace = grace }

// CheckVersion reads what git says to `git version`.
func CheckVersion(line string) (string, error) { return checkVersion(line) }

// HeavyLimit returns how many heavy processes may run at once.
func (g *Git) HeavyLimit() int { return cap(g.heavy) }
