package schema

import "slices"

// Sent says when an attribute is sent to the host. The zero value sends it with a
// creation, and with an update that changes it.
type Sent struct {
	when when
	with []string
}

type when uint8

const (
	onChange when = iota
	always
	onCreate
	never
)

// SentAlways sends an attribute with every update.
var SentAlways = Sent{when: always}

// SentOnce sends an attribute with the creation alone. It is not compared later.
var SentOnce = Sent{when: onCreate}

// SentNever keeps an attribute from the host: it tells hew how to treat the
// others, and is not compared.
var SentNever = Sent{when: never}

// SentWith sends an attribute also with an update that changes one of those named.
func SentWith(names ...string) Sent { return Sent{with: names} }

// SentAlways reports whether the attribute goes along with every update.
func (a *Attr) SentAlways() bool { return a.Sent.when == always }

// SentOnce reports whether the attribute is sent with the creation alone.
func (a *Attr) SentOnce() bool { return a.Sent.when == onCreate }

// Local reports whether the attribute is never sent.
func (a *Attr) Local() bool { return a.Sent.when == never }

// SentWith names the attributes whose change makes this one be sent as well.
func (a *Attr) SentWith() []string { return a.Sent.with }

// Lasting reports whether live objects are held to a stated value.
func (a *Attr) Lasting() bool { return !a.SentOnce() && !a.Local() }

// Triggers reports whether a change of the named attributes makes the attribute be
// sent again.
func (a *Attr) Triggers(changed []string) bool {
	return a.SentAlways() || slices.ContainsFunc(a.Sent.with,
		func(w string) bool { return slices.Contains(changed, w) })
}
