package fault

import ()

// What groups and projects hold is made and changed in one shape: CreateX(…, fill) and ChangeX(…, change), whose last argument
// gives the thing what the caller wants of it. What it has become is then held to the rules of its kind, under the lock under
// which it is stored (store.Held).

// Checked is an edit whose outcome has to pass a check. Where the check has to know more than the outcome, as with hooks, the
// function that edits is written out.
func Checked[T any](edit func(*T) error, check func(T) error) func(*T) error {
	return func(thing *T) error {
		if err := edit(thing); err != nil {
			return err
		}
		return check(*thing)
	}
}
