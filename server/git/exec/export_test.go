package exec

// CheckVersion reads what git says to `git version`.
func CheckVersion(line string) (string, error) { return checkVersion(line) }

// HeavyLimit returns how many heavy processes may run at once.
func (g *Git) HeavyLimit() int { return cap(g.heavy) }
