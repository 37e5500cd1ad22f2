package rest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"reflect"
	"slices"

	"hew/server/fault"
)

// Upload is a file of a form that is read as it comes, and never held as a whole.
type Upload struct {
	io.Reader
	Name   string            // of the file, as the client calls it
	Fields map[string]string // of the form, as far as they come before the file

	form *multipart.Reader
	tree tree // the fields of Fields by what their keys say
}

// maxFormField is how long a field before the file may be, in bytes, and maxFormFields how many
// there may be.
const (
	maxFormField  = 64 << 10
	maxFormFields = 100
)

// Upload returns the file of a multipart form that is in one of the fields or, if there is none
// before it, the first part that has the name of a file. Any other body is a fault. Errors of
// reading it are faults, too, if the client is to blame.
func (b Body) Upload(fields ...string) (u Upload, err error) {
	missing := fault.Param(fields[0] + " is missing")
	kind, params, err := mime.ParseMediaType(b.Header.Get("Content-Type"))
	if err != nil || kind != typeMultipart || params["boundary"] == "" {
		return u, missing
	}
	u.Fields, u.tree = map[string]string{}, tree{}
	form := multipart.NewReader(b.Reader, params["boundary"])
	for range maxFormFields {
		part, err := form.NextPart()
		switch {
		case errors.Is(err, io.EOF):
			return u, missing
		case err != nil:
			return u, unreadable(brokenForm, err)
		case slices.Contains(fields, part.FormName()), part.FileName() != "":
			u.Reader, u.Name = blaming{newLenientEnd(part, params["boundary"]), brokenForm}, part.FileName()
			u.form = form
			return u, nil
		}
		if err := u.addField(part); err != nil {
			return u, err
		}
	}
	return u, fault.BadRequest("the form has too many fields before the file")
}

// addField reads a field of the form.
func (u Upload) addField(part *multipart.Part) error {
	value, err := io.ReadAll(io.LimitReader(part, maxFormField+1))
	name := part.FormName()
	switch {
	case err != nil:
		return unreadable(brokenForm, err)
	case len(value) > maxFormField:
		return fault.BadRequest(fmt.Sprintf("form field %.100q is too long (maximum is %d bytes)", name, maxFormField))
	}
	if !isStorable(name) || !isStorable(string(value)) {
		return malformedRequest("invalid encoding of a parameter")
	}
	u.Fields[name] = string(value)
	return addValue(u.tree, name, string(value))
}

// DecodeFields returns the parameters that the fields of a form are, as Decode does for a body.
func DecodeFields[In any](u Upload) (In, error) {
	var in In
	v := reflect.ValueOf(&in).Elem()
	err := planOf(v.Type()).decode(v, source{trees: []tree{u.tree}}, nil)
	return in, err
}

// ReadRest adds the fields that come after the file, which was read to its end. Further files are
// left out.
func (u Upload) ReadRest() error {
	for range maxFormFields {
		part, err := u.form.NextPart()
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF): // the file had the last boundary
			return nil
		case err != nil:
			return unreadable(brokenForm, err)
		case part.FileName() != "":
			continue
		}
		if err := u.addField(part); err != nil {
			return err
		}
	}
	return fault.BadRequest("the form has too many fields after the file")
}

// Content returns a reader of the body whose errors are faults if the client is to blame: it went
// away, or sent less than it said.
func (b Body) Content() io.Reader { return blaming{b.Reader, cutShort} }

// The faults of a body that cannot be read to its end.
const (
	cutShort   = "the body ends early: it has fewer bytes than were announced"
	brokenForm = "the form cannot be read: it ends early or is not a multipart form"
)

// unreadable returns the fault of a body that cannot be read to its end.
func unreadable(text string, err error) error {
	var tooLong *http.MaxBytesError
	if errors.As(err, &tooLong) {
		return bodyTooLarge(tooLong.Limit)
	}
	return fault.BadRequest(text).Because(err)
}

// blaming reads what a client sends, and makes its errors faults.
type blaming struct {
	from io.Reader
	text string // what is wrong then
}

// Read implements io.Reader.
func (b blaming) Read(p []byte) (int, error) {
	n, err := b.from.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = unreadable(b.text, err)
	}
	return n, err
}

// lenientEnd reads a part of a form whose last boundary may follow a bare line feed, where others
// follow a carriage return, too: nuget.exe 2.8 on Mono ends forms so. The package multipart takes
// such an end for content and then misses the boundary. A form without any last boundary is an
// error as before.
type lenientEnd struct {
	part io.Reader
	end  []byte // a line feed, and the last boundary
	held []byte // what was read and may be the end; in memory
	err  error  // of the part

	memory []byte
}

func newLenientEnd(part io.Reader, boundary string) *lenientEnd {
	return &lenientEnd{part: part, end: []byte("\n--" + boundary + "--"), memory: make([]byte, 32<<10)}
}

// Read implements io.Reader.
func (l *lenientEnd) Read(p []byte) (int, error) {
	most := len(l.end) + len("\r\n") // a line can end after the boundary
	for l.err == nil && len(l.held) <= most {
		kept := copy(l.memory, l.held)
		n, err := l.part.Read(l.memory[kept:])
		l.held, l.err = l.memory[:kept+n], err
		if errors.Is(err, io.ErrUnexpectedEOF) {
			if content, ok := bytes.CutSuffix(bytes.TrimRight(l.held, "\r\n"), l.end); ok {
				l.held, l.err = content, io.EOF
			}
		}
	}
	ready := len(l.held)
	if l.err == nil {
		ready -= most
	}
	n := copy(p, l.held[:ready])
	l.held = l.held[n:]
	if n == 0 && len(p) > 0 {
		return 0, l.err
	}
	return n, nil
}
