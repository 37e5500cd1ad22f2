package transfer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/outbound"
	"hew/server/setting"
)

// ImportSource is where an archive is fetched from: an address, or an object in a bucket. It is
// sealed until the import has ended.
type ImportSource struct {
	URL    string        `json:"url,omitempty"`
	Bucket *ImportBucket `json:"bucket,omitempty"`
}

// encode returns the source as it is sealed, "" if the archive is here already.
func (s ImportSource) encode() (string, error) {
	if s == (ImportSource{}) {
		return "", nil
	}
	text, err := json.Marshal(s)
	return string(text), err
}

// decodeSource reads what encode returned.
func decodeSource(text string) (s ImportSource, err error) {
	if text != "" {
		err = json.Unmarshal([]byte(text), &s)
	}
	return s, err
}

// archiveTypes are the media types of archives.
var archiveTypes = []string{"application/gzip", "application/x-tar", "application/x-gzip"}

// defaultRemoteSize limits an archive on another host where the settings do not, in bytes (spec 1
// §8).
const defaultRemoteSize = 10 << 30

// Fetcher fetches archives from other hosts.
type Fetcher struct {
	Out *outbound.Guard
	S3  string // the address of the S3 server; empty: the public one
}

// Check looks at the head of an archive, and returns a bad-request fault if it cannot be fetched
// (transfer.md §4).
func (f Fetcher) Check(ctx context.Context, st *db.Store, s ImportSource) error {
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return err
	}
	var about head
	if s.Bucket != nil {
		about, err = f.statObject(ctx, settings, *s.Bucket)
	} else {
		about, err = f.statURL(ctx, settings, s.URL)
	}
	if err == nil {
		err = about.check(remoteLimit(settings))
	}
	return refuseSource(err)
}

// refuseSource returns the fault of a source that cannot be used. Other errors stay as they are.
func refuseSource(err error) error {
	var wrong sourceError
	if errors.As(err, &wrong) {
		return fault.BadRequest(string(wrong)).In(fault.Text)
	}
	return err
}

// sourceError is what is wrong with a source, for the user who named it. It has nothing secret of
// it.
type sourceError string

// Error implements error.
func (s sourceError) Error() string { return string(s) }

// remoteLimit returns how large an archive on another host may be, in bytes.
func remoteLimit(s setting.Settings) int64 {
	if s.MaxRemoteImport == 0 {
		return defaultRemoteSize
	}
	return int64(s.MaxRemoteImport) << 20
}

// head is what a host says of an archive before it sends it.
type head struct {
	size int64 // bytes; -1 if it is not said
	kind string
}

// check returns what is wrong with an archive.
func (h head) check(limit int64) error {
	kind, _, _ := strings.Cut(h.kind, ";")
	kind = strings.TrimSpace(kind)
	switch {
	case h.size < 0:
		return sourceError("Content-Length is missing: the host must say how large the archive is")
	case h.size == 0:
		return sourceError("Content-Length is too small (should be at least 1 Byte)")
	case h.size > limit:
		return sourceError(fmt.Sprintf("Content-Length is too big (should be at most %d MiB)", limit>>20))
	case !slices.Contains(archiveTypes, strings.ToLower(kind)):
		return sourceError(fmt.Sprintf("Content type '%.100s' not allowed. (Allowed: %s)",
			strings.ToValidUTF8(kind, "?"), strings.Join(archiveTypes, ", ")))
	}
	return nil
}

// Open returns the content of an archive, which is limited to what the settings allow.
func (f Fetcher) Open(ctx context.Context, st *db.Store, s ImportSource) (io.ReadCloser, int64, error) {
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return nil, 0, err
	}
	limit := remoteLimit(settings)
	if s.Bucket != nil {
		content, err := f.openObject(ctx, settings, *s.Bucket)
		return content, limit, err
	}
	content, err := f.openURL(ctx, settings, s.URL)
	return content, limit, err
}

// parseSize reads a Content-Length, -1 if it is none.
func parseSize(text string) int64 {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil || n < 0 {
		return -1
	}
	return n
}
