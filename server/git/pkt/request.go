package pkt

import (
	"fmt"
	"io"
	"strings"

	"hew/server/git/object"
)

// Capabilities are the words, each with or without "=value", by which client and server say what
// they can do.
type Capabilities []string

// ParseCapabilities reads words between spaces.
func ParseCapabilities(text string) Capabilities { return strings.Fields(text) }

// Has reports whether a capability is there, with or without a value.
func (c Capabilities) Has(name string) bool {
	_, ok := c.find(name)
	return ok
}

// Value returns the value of a capability, or "" if it has none or is not there.
func (c Capabilities) Value(name string) string {
	value, _ := c.find(name)
	return value
}

func (c Capabilities) find(name string) (value string, ok bool) {
	for _, word := range c {
		if key, value, _ := strings.Cut(word, "="); key == name {
			return value, true
		}
	}
	return "", false
}

// Request is a request of protocol version 2.
type Request struct {
	Command      string // "ls-refs", "fetch" or "object-info"
	Capabilities Capabilities
	Arguments    []string
}

// ReadRequest reads a request. It returns io.EOF if there is none: a lone flush packet or the end
// of the input.
func ReadRequest(r *Reader) (Request, error) {
	request := Request{}
	kind, line, err := r.Line()
	if err == io.EOF || err == nil && kind == Flush {
		return request, io.EOF
	}
	command, ok := strings.CutPrefix(line, "command=")
	if err == nil && (kind != Data || !ok) {
		err = fmt.Errorf("it begins with %.100q: want command=", line)
	}
	request.Command = command
	end := kind
	if err == nil {
		end, err = r.readSection(func(line string) error {
			request.Capabilities = append(request.Capabilities, line)
			return nil
		})
	}
	if err == nil && end == Delim {
		_, err = r.readSection(func(line string) error {
			request.Arguments = append(request.Arguments, line)
			return nil
		})
	}
	if err != nil {
		return Request{}, fmt.Errorf("read request: %w", err)
	}
	return request, nil
}

// Ref is a ref as it is advertised.
type Ref struct {
	Name   string
	ID     object.ID
	Peeled object.ID // what an annotated tag points to; zero for other refs
	Target string    // of HEAD in version 2: the ref that it points to
}

// WriteAdvertisement writes the refs and capabilities of protocol version 0, with HEAD first if the
// refs begin with it. The service is "git-upload-pack" or "git-receive-pack".
func WriteAdvertisement(w io.Writer, service string, capabilities Capabilities, refs []Ref) error {
	out := NewWriter(w)
	_ = out.Line("# service=" + service) // Flush returns the first error
	_ = out.Flush()
	words := "\x00" + strings.Join(capabilities, " ")
	if len(refs) == 0 {
		_ = out.Line(object.ID{}.String() + " capabilities^{}" + words)
	}
	for _, ref := range refs {
		_ = out.Line(ref.ID.String() + " " + ref.Name + words)
		if words = ""; !ref.Peeled.IsZero() {
			_ = out.Line(ref.Peeled.String() + " " + ref.Name + "^{}")
		}
	}
	return out.Flush()
}

// WriteCapabilities writes the answer that tells the client of protocol version 2. Over HTTP it is
// the whole answer to the request for the refs of a service.
func WriteCapabilities(w io.Writer, service string, capabilities Capabilities) error {
	out := NewWriter(w)
	_ = out.Line("# service=" + service) // Flush returns the first error
	_ = out.Flush()
	_ = out.Line("version 2")
	for _, word := range capabilities {
		_ = out.Line(word)
	}
	return out.Flush()
}

// AppendRef appends what ls-refs of protocol version 2 says of a ref: its target and its peeled id
// only if the client asked for "symrefs" and "peel".
func AppendRef(dst []byte, ref Ref, arguments Capabilities) []byte {
	id := ref.ID.String()
	if ref.ID.IsZero() {
		id = "unborn"
	}
	line := id + " " + ref.Name
	if ref.Target != "" && arguments.Has("symrefs") {
		line += " symref-target:" + ref.Target
	}
	if !ref.Peeled.IsZero() && arguments.Has("peel") {
		line += " peeled:" + ref.Peeled.String()
	}
	return fmt.Appendf(dst, "%04x%s\n", len(line)+5, line)
}
