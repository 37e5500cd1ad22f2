package merge

// DetailedStatus returns why a merge request cannot be merged now, or "mergeable" (gaps §7.1).
func (r Request) DetailedStatus() string {
	switch {
	case r.MergeStatus == Preparing:
		return "preparing"
	case !r.IsOpen():
		return "not_open"
	case r.MergeStatus == Unchecked, r.MergeStatus == CannotBeMergedRecheck:
		return "unchecked"
	case r.MergeStatus == Checking:
		return "checking"
	case r.Draft:
		return "draft_status"
	case r.MergeStatus == CannotBeMerged:
		return "conflict"
	}
	return "mergeable"
}
