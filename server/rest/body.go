package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"strings"

	"hew/server/fault"
)

// The media types of bodies that are read.
const (
	typeJSON      = "application/json"
	typeForm      = "application/x-www-form-urlencoded"
	typeMultipart = "multipart/form-data"
)

// maxText limits the text of a body, in bytes: JSON, a form, the values of a multipart body. The
// text can contain the token, so it is read before the caller is known, and it is in memory as
// bytes, as a string and as a tree: about 20 MB for each anonymous client. Files and streams are
// not kept in memory.
const maxText = 4 << 20

// Body gives the handler the unread body. Embed it in the struct of parameters; the other fields
// are then filled from path and query only.
type Body struct {
	io.Reader
	Header http.Header
	Size   int64 // in bytes; -1 if unknown
}

// File is an uploaded file. It can be read until the request ends.
type File struct {
	Name, Type string
	Size       int64

	small []byte
	large *os.File
}

// Open returns a reader at the start of the file. Several can be open at once.
func (f *File) Open() io.Reader {
	if f.large != nil {
		return io.NewSectionReader(f.large, 0, f.Size)
	}
	return bytes.NewReader(f.small)
}

func (f *File) close() {
	if f.large != nil {
		_ = f.large.Close() // it has no name any more, and everything was written
	}
}

// mediaType returns the media type of the body, "" if the client did not name it.
func mediaType(r *http.Request) string {
	given := r.Header.Get("Content-Type")
	if given == "" {
		return ""
	}
	kind, _, err := mime.ParseMediaType(given)
	if err != nil {
		return given
	}
	return kind
}

// readBody parses the body into a tree. The body of GET and HEAD is ignored.
func (x *exchange) readBody(r *http.Request) (tree, error) {
	if isRead(r.Method) || r.Body == nil || r.Body == http.NoBody || r.ContentLength == 0 {
		return tree{}, nil
	}
	if packed := r.Header.Get("Content-Encoding"); packed != "" && !strings.EqualFold(packed, "identity") {
		return nil, fault.UnsupportedEncoding(packed)
	}
	kind := mediaType(r)
	switch kind {
	case typeJSON, typeForm, "", typeMultipart:
	default:
		return nil, fault.UnsupportedMedia(kind)
	}
	if r.ContentLength > x.maxBody {
		x.isLong = true
		return nil, bodyTooLarge(x.maxBody)
	}
	if kind == typeMultipart {
		return x.parseMultipart(r, http.MaxBytesReader(nil, r.Body, x.maxBody))
	}
	if err := x.readText(r); err != nil {
		return nil, err
	}
	if kind == typeJSON {
		return parseJSON(x.raw)
	}
	return parseForm(string(x.raw))
}

// readText reads a body of text into x.raw, also the part of one that is too long: unreadBody and
// readLong need it.
func (x *exchange) readText(r *http.Request) (err error) {
	most := min(x.maxBody, maxText)
	if x.isLong = r.ContentLength > most; x.isLong {
		return bodyTooLarge(most)
	}
	x.raw, err = io.ReadAll(io.LimitReader(r.Body, most+1))
	x.isLong = int64(len(x.raw)) > most
	switch {
	case err != nil:
		return readError(err)
	case x.isLong:
		return bodyTooLarge(most)
	}
	return nil
}

// unreadBody returns the body for a handler that reads it itself, with what Param has read already.
func (x *exchange) unreadBody(r *http.Request) Body {
	whole := io.NopCloser(io.MultiReader(bytes.NewReader(x.raw), r.Body))
	return Body{Reader: http.MaxBytesReader(nil, whole, x.maxBody), Header: r.Header, Size: r.ContentLength}
}

// readError returns the fault for a body that is too long or incomplete.
func readError(err error) error {
	var tooLong *http.MaxBytesError
	if errors.As(err, &tooLong) {
		return bodyTooLarge(tooLong.Limit).Because(err)
	}
	return malformedRequest("").Because(err)
}

func notJSON(err error) error {
	return fault.Param("message body does not match declared format").Because(err)
}

// parseJSON parses one object with nothing after it. An empty body is an empty object, and so is
// null, which client libraries send for options that are left out.
func parseJSON(raw []byte) (tree, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return tree{}, nil
	}
	if err := scanJSON(raw); err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var t tree
	if err := d.Decode(&t); err != nil {
		return nil, notJSON(err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, notJSON(err)
	}
	if t == nil {
		t = tree{}
	}
	return t, nil
}

// inMemory is the size up to which an upload is kept in memory, in bytes.
const inMemory = 1 << 20

// parseMultipart reads the parts in their order, as parseForm reads pairs.
func (x *exchange) parseMultipart(r *http.Request, body io.Reader) (tree, error) {
	_, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || params["boundary"] == "" {
		return nil, malformedRequest("multipart body without a boundary")
	}
	parts := multipart.NewReader(body, params["boundary"])
	t, left := tree{}, x.text.bytes
	for n := 0; ; n++ {
		part, err := parts.NextPart()
		switch {
		case err == io.EOF:
			return t, nil
		case err != nil:
			return nil, readError(err)
		case n >= maxNodes:
			return nil, malformedRequest("too many parameters")
		}
		value, err := x.partValue(part, &left)
		if err != nil {
			return nil, err
		}
		if !isStorable(part.FormName()) {
			return nil, malformedRequest("invalid encoding of a parameter")
		}
		if err := addValue(t, part.FormName(), value); err != nil {
			return nil, err
		}
	}
}

// partValue returns a *File if the part has a file name, else its text, and takes the size of the
// text from left.
func (x *exchange) partValue(part *multipart.Part, left *int64) (any, error) {
	if part.FileName() != "" {
		f, err := spool(part)
		if err == nil {
			f.Name = strings.ReplaceAll(strings.ToValidUTF8(part.FileName(), "_"), "\x00", "_")
			f.Type = part.Header.Get("Content-Type")
			x.files = append(x.files, f)
		}
		return f, err
	}
	text, err := io.ReadAll(io.LimitReader(part, *left+1))
	*left -= int64(len(text))
	switch {
	case err != nil:
		return nil, readError(err)
	case *left < 0:
		return nil, x.text.exceeded()
	case !isStorable(string(text)):
		return nil, malformedRequest("invalid encoding of a parameter")
	}
	return string(text), nil
}

// spool keeps a small upload in memory and a large one in a file without a name, which the system
// removes even if the process is killed.
func spool(part io.Reader) (*File, error) {
	f := &File{}
	var head bytes.Buffer
	n, err := io.CopyN(&head, part, inMemory)
	if err == io.EOF {
		f.Size, f.small = n, head.Bytes()
		return f, nil
	}
	if err != nil {
		return nil, readError(err)
	}
	if f.large, err = os.CreateTemp("", "hewd-upload-*"); err != nil {
		return nil, err
	}
	if err = os.Remove(f.large.Name()); err == nil {
		if f.Size, err = io.Copy(f.large, io.MultiReader(&head, part)); err != nil {
			err = readError(err)
		}
	}
	if err != nil {
		f.close()
		return nil, err
	}
	return f, nil
}
