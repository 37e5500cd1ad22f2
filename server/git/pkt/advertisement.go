package pkt

import (
	"errors"
	"fmt"
	"strings"

	"hew/server/git/object"
)

// Advertisement is what a host says of a repository in protocol version 0.
type Advertisement struct {
	Capabilities Capabilities
	Head         object.ID // that HEAD has; zero if it has none
	Refs         []Ref     // those asked for, without HEAD and what tags point to
	Shallow      bool      // it lacks the parents of some commits
}

// ReadAdvertisement reads an advertisement, and keeps the refs whose names begin with one of the
// prefixes. The service, such as "git-upload-pack", is named over HTTP alone: empty elsewhere. An
// error of the host is a RemoteError.
func ReadAdvertisement(r *Reader, service string, prefixes ...string) (Advertisement, error) {
	var a Advertisement
	if service != "" {
		if err := readService(r, service); err != nil {
			return a, err
		}
	}
	first := true
	end, err := r.readSection(func(line string) error {
		if first {
			var words string
			line, words, _ = strings.Cut(line, "\x00")
			a.Capabilities, first = ParseCapabilities(words), false
		}
		return a.addLine(line, prefixes)
	})
	if err == nil && end != Flush {
		err = errors.New("the refs do not end with a flush packet")
	}
	return a, err
}

// readService reads how an advertisement over HTTP begins.
func readService(r *Reader, service string) error {
	kind, line, err := r.Line()
	if err == nil && (kind != Data || line != "# service="+service) {
		err = fmt.Errorf("it begins with %.100q: want # service=%s", line, service)
	}
	if err == nil {
		kind, _, err = r.Line()
	}
	if err == nil && kind != Flush {
		err = errors.New("a flush packet is missing after the name of the service")
	}
	return err
}

func (a *Advertisement) addLine(line string, prefixes []string) error {
	if text, ok := strings.CutPrefix(line, "ERR "); ok {
		return RemoteError(text)
	}
	digits, name, ok := strings.Cut(line, " ")
	if digits == "shallow" {
		a.Shallow = true
		return nil
	}
	if a.Capabilities.Value("object-format") == "sha256" {
		return nil // with ids of another length
	}
	id, err := object.ParseID(digits)
	switch {
	case err != nil || !ok:
		return fmt.Errorf("%.100q is not a ref: want an id and a name", line)
	case name == "HEAD":
		a.Head = id
	case strings.HasSuffix(name, "^{}"):
	default:
		for _, p := range prefixes {
			if strings.HasPrefix(name, p) {
				a.Refs = append(a.Refs, Ref{Name: name, ID: id})
				break
			}
		}
	}
	return nil
}
