package pkt

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"hew/server/git/object"
)

// Command asks to move a ref. Old is zero for a new ref, New is zero to delete it.
type Command struct {
	Old, New object.ID
	Ref      string
}

// IsDelete reports whether the command deletes the ref.
func (c Command) IsDelete() bool { return c.New.IsZero() }

// Push is what a client says before the pack of a push.
type Push struct {
	Commands     []Command
	Capabilities Capabilities
	Shallow      []object.ID // commits whose parents the client does not have
	Options      []string    // of git push --push-option
}

// NeedsPack reports whether a pack follows: one does unless every command deletes.
func (p Push) NeedsPack() bool {
	for _, c := range p.Commands {
		if !c.IsDelete() {
			return true
		}
	}
	return false
}

// maxOptions is how many options a push may have, of as many bytes together: hooks get them.
const maxOptions, maxOptionBytes = 1000, 64 << 10

// ReadPush reads the commands and options of a push. The pack is in r.Rest afterwards. A push
// without commands is a probe of the client and not an error.
func ReadPush(r *Reader) (Push, error) {
	p := Push{}
	first := true
	end, err := r.readSection(func(line string) error {
		if first {
			var capabilities string
			line, capabilities, _ = strings.Cut(line, "\x00")
			p.Capabilities = ParseCapabilities(capabilities)
			first = strings.HasPrefix(line, "shallow ") // the capabilities follow the first command
		}
		return p.addLine(line)
	})
	if err == nil && end != Flush {
		err = errors.New("the commands do not end with a flush packet")
	}
	if err == nil && p.Capabilities.Has("push-options") && len(p.Commands) > 0 {
		size := 0
		_, err = r.readSection(func(line string) error {
			p.Options, size = append(p.Options, line), size+len(line)
			if len(p.Options) > maxOptions || size > maxOptionBytes {
				return fmt.Errorf("a push may have %d push options of %d bytes together", maxOptions, maxOptionBytes)
			}
			return nil
		})
	}
	if err != nil {
		return Push{}, fmt.Errorf("read push: %w", err)
	}
	return p, nil
}

func (p *Push) addLine(line string) error {
	if digits, ok := strings.CutPrefix(line, "shallow "); ok {
		id, err := object.ParseID(digits)
		p.Shallow = append(p.Shallow, id)
		return err
	}
	if strings.HasPrefix(line, "push-cert") {
		return errors.New("signed pushes are not supported: push without --signed")
	}
	fields := strings.SplitN(line, " ", 3)
	if len(fields) != 3 || fields[2] == "" {
		return fmt.Errorf("%.100q is not a command: want old id, new id and ref", line)
	}
	before, err := object.ParseID(fields[0])
	if err != nil {
		return err
	}
	after, err := object.ParseID(fields[1])
	if err != nil {
		return err
	}
	p.Commands = append(p.Commands, Command{Old: before, New: after, Ref: fields[2]})
	return nil
}

// Result is what became of a command of a push. Reason is empty if it was carried out.
type Result struct{ Ref, Reason string }

// WriteReport writes the report of a push, as the capability report-status asks for it: whether the
// pack was taken (unpack is "ok" or why not) and a result for each command. Line feeds in reasons
// become spaces.
func WriteReport(w io.Writer, unpack string, results []Result) error {
	out := NewWriter(w)
	clean := strings.NewReplacer("\n", " ", "\r", " ")
	_ = out.Line("unpack " + clean.Replace(unpack)) // Flush returns the first error
	for _, r := range results {
		if r.Reason == "" {
			_ = out.Line("ok " + r.Ref)
		} else {
			_ = out.Line("ng " + r.Ref + " " + clean.Replace(r.Reason))
		}
	}
	return out.Flush()
}

// WritePush writes what a client says before the pack of a push: the commands, the first with the
// capabilities.
func WritePush(w io.Writer, p Push) error {
	out := NewWriter(w)
	words := "\x00 " + strings.Join(p.Capabilities, " ")
	for _, c := range p.Commands {
		_ = out.Data(fmt.Appendf(nil, "%s %s %s%s", c.Old, c.New, c.Ref, words)) // Flush returns the first error
		words = ""
	}
	return out.Flush()
}

// ReadReport reads the report of a push: whether the host took the pack ("ok" or why not), and a
// result for each command.
func ReadReport(r *Reader) (unpack string, results []Result, err error) {
	end, err := r.readSection(func(line string) error {
		verb, rest, _ := strings.Cut(line, " ")
		ref, reason, _ := strings.Cut(rest, " ")
		switch {
		case verb == "ERR":
			return RemoteError(rest)
		case verb == "unpack" && unpack == "":
			unpack = rest
		case verb == "ok":
			results = append(results, Result{Ref: ref})
		case verb == "ng":
			results = append(results, Result{ref, cmp.Or(reason, "it gives no reason")})
		case verb != "option": // of report-status-v2
			return fmt.Errorf("%.100q is not a line of the report of a push", line)
		}
		return nil
	})
	if err == nil && (end != Flush || unpack == "") {
		err = errors.New("the report of the push is incomplete")
	}
	return unpack, results, err
}
