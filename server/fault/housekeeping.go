package fault

import ()

// IgnoreNotFound takes the absence of a thing that was to be worked on for success: somebody was faster.
func IgnoreNotFound(err error) error {
	if CodeOf(err) == CodeNotFound {
		return nil
	}
	return err
}
