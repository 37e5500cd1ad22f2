package forge

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/url"
	"path"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/forge/github"
	"hew/server/forge/hostapi"
	"hew/server/forge/rawfile"
	"hew/server/upload"
)

// maxAttachments is how many files of one text are brought.
const maxAttachments = 100

// attached maps the kinds of documents with a text to the kinds of the files in it, as the record
// of the import counts them (transfer.md §3.1).
var attached = map[string]string{
	kindIssue: "issue_attachment", kindPull: "merge_request_attachment", kindRelease: "release_attachment",
	kindNote: "note_attachment", kindDiffNote: "note_attachment", kindReview: "note_attachment",
}

// bringAttachments stores the files that the next text links to as uploads of the project, and has
// the text link to those. The cursor is the kind and the key of the document of the last text.
func bringAttachments(ctx context.Context, r *run) (s step, err error) {
	d, ok, err := r.nextText(ctx)
	if err != nil || !ok {
		return s, err
	}
	s.stage, s.cursor = "attachments", d.Kind+" "+d.Key
	var fields map[string]json.RawMessage
	var text string
	if json.Unmarshal(d.Document, &fields) != nil || json.Unmarshal(fields["body"], &text) != nil {
		return s, nil // it has none
	}
	host, err := url.Parse(r.source.CloneURL)
	if err != nil {
		return s, nil
	}
	links := github.Attachments(text, host.Host)
	if len(links) > maxAttachments {
		s.fail(r, attached[d.Kind], d.Number, fmt.Errorf("the text links to more than %d files", maxAttachments))
		links = links[:maxAttachments]
	}
	for _, link := range links {
		file, err := r.bringAttachment(ctx, link, host)
		if err != nil {
			if ends := s.tolerateFile(r, d, link, err); ends != nil {
				return step{}, ends
			}
			continue
		}
		text = strings.ReplaceAll(text, link, file.path())
		s.documents = append(s.documents, document{Kind: attached[d.Kind], Key: file.Secret, Value: file})
	}
	if len(s.documents) > 0 {
		if fields["body"], err = json.Marshal(text); err != nil {
			return s, err
		}
		s.documents = append(s.documents, document{Kind: d.Kind, Key: d.Key, Number: d.Number, Value: fields})
	}
	return s, nil
}

// nextText returns the next document whose text may link to files of the host.
func (r *run) nextText(ctx context.Context) (d staged, ok bool, err error) {
	kind, key, _ := strings.Cut(r.Cursor, " ")
	kinds := make([]string, 0, len(attached))
	for kind := range attached {
		kinds = append(kinds, kind)
	}
	list, err := db.Many[staged](ctx, r.st, `
		select kind, key, number, document from forge_documents
		where project_id = @project and kind = any(@kinds) and (kind, key) > (@kind, @key)
		      and document::text ~ '/(assets|files|user)/|githubusercontent'
		order by kind, key limit 1`,
		pgx.NamedArgs{"project": r.ProjectID, "kinds": kinds, "kind": kind, "key": key})
	if err != nil || len(list) == 0 {
		return d, false, err
	}
	return list[0], true, nil
}

// attachment is a file that is an upload of the project.
type attachment struct {
	Secret string `json:"secret"`
	Name   string `json:"name"`
}

// path returns the link to the file in texts of its project.
func (a attachment) path() string { return "/uploads/" + a.Secret + "/" + url.PathEscape(a.Name) }

// bringAttachment stores a file, unless an attempt that was killed has done that.
func (r *run) bringAttachment(ctx context.Context, address string, host *url.URL) (file attachment, err error) {
	// Nobody can guess the secret who does not have the token, and another attempt finds it again.
	mac := hmac.New(sha256.New, []byte(r.source.Token))
	_, _ = fmt.Fprintf(mac, "%d %s", r.ProjectID, address) // never fails
	file.Secret = hex.EncodeToString(mac.Sum(nil))[:32]
	known, _, err := upload.Uploads(r.st, r.p.Container()).List(ctx, db.Page{Limit: 1}, func(w *db.Where) {
		w.And(`t.secret = @secret`, file.Secret)
	})
	if err != nil {
		return file, err
	}
	if len(known) > 0 {
		file.Name = known[0].Name
		return file, nil
	}
	most, err := upload.Limit(ctx, r.st)
	if err != nil {
		return file, err
	}
	files := rawfile.Reader{
		Base: (&url.URL{Scheme: host.Scheme, Host: host.Host}).String(), Token: r.source.Token,
		Transport: hostapi.Transport(r.Out, r.policy), Now: r.Now, Pause: r.Pause,
	}
	err = files.Stream(ctx, address, most, func(kind string, content io.Reader) error {
		file.Name = nameOfFile(address, kind)
		return fromHost(content, func(content io.Reader) error {
			return upload.Restore(ctx, r.st, r.p.Container(), file.Secret, upload.File{Name: file.Name, Content: content},
				r.UserID)
		})
	})
	return file, err
}

// tolerateFile notes down that a text keeps its link to a file. It returns an error for which the
// import waits, or which is one of this server.
func (s *step) tolerateFile(r *run, d staged, link string, err error) error {
	var refused *hostapi.StatusError
	var unavailable *hostapi.UnavailableError
	switch {
	case errors.Is(err, rawfile.ErrTooLarge), errors.As(err, &refused):
	case errors.As(err, &unavailable):
		if at, _ := url.Parse(link); r.sendsTokenTo(at) {
			return err
		}
	default:
		return err
	}
	s.fail(r, attached[d.Kind], d.Number, fmt.Errorf("%.200s stays at the host: %w", withoutQuery(link), err))
	return nil
}

// sendsTokenTo reports whether an address is at the host of the repository.
func (r *run) sendsTokenTo(at *url.URL) bool {
	host, err := url.Parse(r.source.CloneURL)
	return err == nil && at != nil && strings.EqualFold(at.Host, host.Host)
}

// withoutQuery returns an address without what may give access to it.
func withoutQuery(address string) string {
	address, _, _ = strings.Cut(address, "?")
	return address
}

// extensions are those of files whose addresses have no names, by their types.
var extensions = map[string]string{
	"image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/webp": ".webp", "image/svg+xml": ".svg",
	"video/mp4": ".mp4", "video/quicktime": ".mov", "video/webm": ".webm", "application/pdf": ".pdf",
	"application/zip": ".zip", "text/plain": ".txt",
}

// nameOfFile returns the name of a file: the last one of its address, with an extension by its type
// if that has none.
func nameOfFile(address, kind string) string {
	name := "file"
	if u, err := url.Parse(address); err == nil {
		name = path.Base(u.Path)
	}
	if path.Ext(name) == "" {
		kind, _, _ := mime.ParseMediaType(kind)
		name += extensions[kind]
	}
	return upload.FileName(name)
}
