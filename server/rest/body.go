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

// The bodies that are understood.
const (
	typeJSON      = "application/json"
	typeForm      = "application/x-www-form-urlencoded"
	typeMultipart = "multipart/form-data"
)

// maxText is how many bytes of a body may be text: JSON, a form, the values of a multipart body. Whoever calls may be told
// by the text (a token in it), so that it is read before anybody is known, and it lies in memory as bytes, as text and as a
// tree: 20 MB for every anonymous client. What is truly large comes as a file or a stream, which do not lie there.
const maxText = 4 << 20

// Body, embedded in a parameter struct, gives the handler the body as it arrives. The other fields are then filled from
// path and query alone.
type Body struct {
	io.Reader
	Header http.Header
	Size   int64 // -1 if the client did not say
}

// File is an uploaded file. It lasts as long as the request.
type File struct {
	Name, Type string
	Size       int64

	small []byte
	large *os.File
}

// Open returns a reader from the start of the file; several may be open at once.
func (f *File) Open() io.Reader {
	if f.large != nil {
		return io.NewSectionReader(f.large, 0, f.Size)
	}
	return bytes.NewReader(f.small)
}

func (f *File) close() {
	if f.large != nil {
		_ = f.large.Close() // it was only ever read back, and is already unlinked
	}
}

// mediaType returns the type of the body, empty where the client did not say.
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

// readBody parses the body into a tree. A reading verb has none that counts.
func (x *exchange) readBody(r *http.Request) (tree, error) {
	if reads(r.Method) || r.Body == nil || r.Body == http.NoBody || r.ContentLength == 0 {
		return tree{}, nil
	}
	if r.ContentLength > x.limit {
		return nil, fault.TooLarge()
	}
	if packed := r.Header.Get("Content-Encoding"); packed != "" && !strings.EqualFold(packed, "identity") {
		return nil, fault.UnsupportedEncoding(packed)
	}
	kind := mediaType(r)
	switch kind {
	case typeJSON, typeForm, "":
	case typeMultipart:
		return x.parseMultipart(r, http.MaxBytesReader(nil, r.Body, x.limit))
	default:
		return nil, fault.UnsupportedMedia(kind)
	}
	if err := x.readText(r); err != nil {
		return nil, err
	}
	if kind == typeJSON {
		return parseJSON(x.raw)
	}
	return parseForm(string(x.raw))
}

// readText reads a body of text. What has been read of one that is too long is kept for unread.
func (x *exchange) readText(r *http.Request) (err error) {
	most := min(x.limit, maxText)
	if r.ContentLength > most {
		return fault.TooLarge()
	}
	x.raw, err = io.ReadAll(io.LimitReader(r.Body, most+1))
	switch {
	case err != nil:
		return readError(err)
	case int64(len(x.raw)) > most:
		return fault.TooLarge()
	}
	return nil
}

// unread is the body for a handler that reads it itself. What auth has had to read of it is handed out again.
func (x *exchange) unread(r *http.Request) Body {
	whole := io.NopCloser(io.MultiReader(bytes.NewReader(x.raw), r.Body))
	return Body{Reader: http.MaxBytesReader(nil, whole, x.limit), Header: r.Header, Size: r.ContentLength}
}

// readError tells a body that is too long from one that broke off.
func readError(err error) error {
	var tooLong *http.MaxBytesError
	if errors.As(err, &tooLong) {
		return fault.TooLarge().Because(err)
	}
	return malformed("").Because(err)
}

func notJSON(err error) error {
	return fault.Param("message body does not match declared format").Because(err)
}

// parseJSON takes one object and nothing after it; no body at all is an object without members.
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
	if _, err := d.Token(); t == nil || err != io.EOF {
		return nil, notJSON(err)
	}
	return t, nil
}

// inMemory is how much of an upload is kept out of the file system.
const inMemory = 1 << 20

// parseMultipart reads part by part, in the order they come, as parseForm does.
func (x *exchange) parseMultipart(r *http.Request, body io.Reader) (tree, error) {
	_, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || params["boundary"] == "" {
		return nil, malformed("multipart body without a boundary")
	}
	parts := multipart.NewReader(body, params["boundary"])
	t, room := tree{}, int64(maxText)
	for n := 0; ; n++ {
		part, err := parts.NextPart()
		switch {
		case err == io.EOF:
			return t, nil
		case err != nil:
			return nil, readError(err)
		case n >= maxNodes:
			return nil, malformed("too many parameters")
		}
		value, err := x.partValue(part, &room)
		if err != nil {
			return nil, err
		}
		if !sound(part.FormName()) {
			return nil, malformed("invalid encoding of a parameter")
		}
		if err := add(t, part.FormName(), value); err != nil {
			return nil, err
		}
	}
}

// partValue is a *File where the part has a file name, else its text, for which there is that much room.
func (x *exchange) partValue(part *multipart.Part, room *int64) (any, error) {
	if part.FileName() != "" {
		f, err := spool(part)
		if err == nil {
			x.files = append(x.files, f)
		}
		return f, err
	}
	text, err := io.ReadAll(io.LimitReader(part, *room+1))
	*room -= int64(len(text))
	switch {
	case err != nil:
		return nil, readError(err)
	case *room < 0:
		return nil, fault.TooLarge()
	case !sound(string(text)):
		return nil, malformed("invalid encoding of a parameter")
	}
	return string(text), nil
}

// spool keeps an upload in memory while it is small, then in a file that has no name, so that not even a killed process
// leaves it behind.
func spool(part *multipart.Part) (*File, error) {
	f := &File{Name: strings.ReplaceAll(strings.ToValidUTF8(part.FileName(), "_"), "\x00", "_"), Type: part.Header.Get("Content-Type")}
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
