package schema

// Outsiders is what hosts do with a reference to a user or group that has no access to the
// owner of the object.
type Outsiders uint8

// What hosts do with them.
const (
	AcceptOutsiders Outsiders = iota // access does not matter
	RefuseOutsiders                  // the whole object is refused
	OmitOutsiders                    // the reference is left out without an error
	KeepOutsiders                    // the reference is kept, and gives no access
)
