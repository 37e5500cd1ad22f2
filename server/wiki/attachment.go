package wiki

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"path"
	"regexp"
	"strings"

	"hew/schema/catalogue"
	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/setting"
)

// Attachment is a file in a wiki that pages link to.
type Attachment struct {
	Name   string
	Path   string
	Branch string
}

// maxFile limits an attachment in bytes, whatever the settings say: it is kept in memory meanwhile.
const maxFile = 200 << 20

// Largest returns how many bytes an attachment may have.
func Largest(ctx context.Context, st *db.Store) (int64, error) {
	settings, err := setting.Read(ctx, st)
	return min(int64(settings.MaxAttachmentSize)<<20, maxFile), err
}

// Attach stores a file in a directory of its own. An empty branch is the default one.
func (w Writer) Attach(ctx context.Context, st *db.Store, name, branch string, content []byte) (Attachment, error) {
	a := Attachment{Name: cleanName(name), Branch: branch}
	if branch != "" && !catalogue.IsBranchName(branch) {
		return a, fault.BadRequest("branch is not a valid name").In(fault.Text)
	}
	random := make([]byte, 16)
	_, _ = rand.Read(random) // never fails
	a.Path = "uploads/" + hex.EncodeToString(random) + "/" + a.Name
	text := string(content)
	_, err := code.CommitToWiki(ctx, st, w.At, code.WikiCommit{
		By: w.By, Branch: branch, Message: fmt.Sprintf("Upload attachment %s", a.Name),
		Edit: func(_ context.Context, g *code.Git, _ code.Commit) ([]code.Action, error) {
			if a.Branch == "" {
				a.Branch = g.Head
			}
			return []code.Action{{Do: "create", Path: a.Path, Content: &text}}, nil
		},
	})
	return a, err
}

var unsafeName = regexp.MustCompile(`[^\pL\pN._-]+`)

// cleanName returns a name of a file that needs no escaping in a link.
func cleanName(name string) string {
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	name = strings.Trim(unsafeName.ReplaceAllString(name, "_"), ".")
	ext := path.Ext(name)
	if bare := strings.TrimSuffix(name, ext); len(name) > maxTitle && len(ext) < 20 {
		name = strings.ToValidUTF8(bare[:maxTitle-len(ext)], "") + ext
	}
	if name = strings.ToValidUTF8(name[:min(len(name), maxTitle)], ""); name == "" {
		return "file"
	}
	return name
}

// pictures are the extensions of files that a page shows instead of a link.
var pictures = regexp.MustCompile(`(?i)\.(png|jpe?g|gif|bmp|tiff?|ico|webp|svg|mp4|m4v|mov|webm|ogv|mp3|oga|ogg|spx|wav)$`)

// Markdown returns the link to the attachment.
func (a Attachment) Markdown() string {
	if pictures.MatchString(a.Name) {
		return fmt.Sprintf("![%s](%s)", strings.TrimSuffix(a.Name, path.Ext(a.Name)), a.Path)
	}
	return fmt.Sprintf("[%s](%s)", a.Name, a.Path)
}
