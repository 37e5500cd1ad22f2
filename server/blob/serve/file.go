// Package serve answers requests with large content, or with the range of it that a client asks
// for.
package serve

import (
	"errors"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"time"

	"hew/server/blob"
	"hew/server/db"
	"hew/server/deadline"
	"hew/server/fault"
	"hew/server/rest"
)

// File answers with a file that is kept as a blob. It never redirects: clients would lose their
// credentials, or do not follow.
type File struct {
	Log      *slog.Logger
	Store    *db.Store
	BlobID   int64
	Name     string            // of the file; empty: the client is not asked to save it
	Type     string            // its content type; empty: bytes
	Inline   bool              // browsers show it, under its name, instead of saving it
	Modified time.Time         // zero: unknown
	Header   func(http.Header) // adds what a route tells of the file; nil: nothing
}

// ServeHTTP implements http.Handler.
func (f File) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	content, err := blob.Open(r.Context(), f.Store, blob.Ref{ID: f.BlobID}, 0)
	if err != nil {
		f.Log.WarnContext(r.Context(), "content not read", "blob", f.BlobID, "file", f.Name, "error", err)
		rest.Fail(w, fault.Unavailable())
		return
	}
	defer func() { _ = content.Close() }() // nothing is lost
	h := w.Header()
	if f.Header != nil {
		f.Header(h)
	}
	switch {
	case f.Inline:
		h.Set("Content-Disposition", disposition("inline", f.Name))
	case f.Name != "":
		h.Set("Content-Disposition", Attachment(f.Name))
	}
	if f.Type == "" {
		f.Type = "application/octet-stream"
	}
	h.Set("Content-Type", f.Type)
	h.Set("X-Content-Type-Options", "nosniff")
	from := &contentReader{ReadSeeker: content}
	http.ServeContent(deadline.NewWriter(r.Context(), w), r, "", f.Modified, from)
	if from.err != nil && r.Context().Err() == nil {
		f.Log.ErrorContext(r.Context(), "content cut off", "blob", f.BlobID, "file", f.Name, "error", from.err)
	}
}

// contentReader remembers the error that ends the content too early: http.ServeContent has begun an
// answer by then, so that all it can do is break it off.
type contentReader struct {
	io.ReadSeeker
	err error
}

// Read implements io.Reader.
func (c *contentReader) Read(p []byte) (int, error) {
	n, err := c.ReadSeeker.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		c.err = err
	}
	return n, err
}

// Attachment returns the header Content-Disposition of a file that is to be saved under a name.
func Attachment(name string) string { return disposition("attachment", name) }

func disposition(kind, name string) string {
	return mime.FormatMediaType(kind, map[string]string{"filename": name})
}

// Revalidate is the header Cache-Control of content that not everybody may see: browsers keep it,
// and ask each time whether they may show it.
const Revalidate = "max-age=0, private, must-revalidate"
