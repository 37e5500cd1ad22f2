package wiki

import (
	"context"
	"fmt"

	"hew/schema/catalogue"
	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/upload"
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
	limit, err := upload.Limit(ctx, st)
	return min(limit, maxFile), err
}

// Attach stores a file in a directory of its own. An empty branch is the default one.
func (w Writer) Attach(ctx context.Context, st *db.Store, name, branch string, content []byte) (Attachment, error) {
	a := Attachment{Name: upload.FileName(name), Branch: branch}
	if branch != "" && !catalogue.IsBranchName(branch) {
		return a, fault.BadRequest("branch is not a valid name").In(fault.Text)
	}
	a.Path = "uploads/" + upload.NewSecret() + "/" + a.Name
	text := string(content)
	_, err := code.CommitFiles(ctx, st, w.At, code.FileCommit{
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

// Markdown returns the link to the attachment.
func (a Attachment) Markdown() string { return upload.Markdown(a.Name, a.Path) }
