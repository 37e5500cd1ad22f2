package api

import (
	"context"
	"fmt"

	"hew/server/code"
	"hew/server/db"
	"hew/server/git/object"
	"hew/server/note"
	"hew/server/part"
	"hew/server/policy"
	"hew/server/protect"
)

// specimen gives a project a commit with n files, n-1 commits that change the first of them, n
// branches besides the default one, n tags, and n comments on the first commit. Each commit has an
// author of its own.
func specimen(ctx context.Context, h *db.Store, at part.Place, n int) (part.Values, error) {
	if at.ProjectID == nil {
		return part.Values{}, nil
	}
	p := at.Project
	by := code.Author{
		Pusher: protect.Pusher{Who: policy.Who{ID: at.Owner.ID, Level: policy.Owner}}, User: at.Owner, Web: true,
	}
	commit := code.NewCommit{Project: p, By: by, Branch: p.Head, Message: "Add files"}
	for i := range n {
		commit.Actions = append(commit.Actions, specimenFile("create", i, i))
	}
	first, err := code.CreateCommit(ctx, h, commit)
	if err != nil {
		return nil, err
	}
	last := commit.Actions[n-1]
	for i := range n {
		if i > 0 {
			commit.Message, commit.Actions = fmt.Sprint("Change a file ", i),
				[]code.Action{specimenFile("update", 0, i)}
			commit.AuthorName, commit.AuthorEmail = fmt.Sprint("Author ", i), fmt.Sprint("author", i, "@example.com")
			if _, err := code.CreateCommit(ctx, h, commit); err != nil {
				return nil, err
			}
		}
		name := fmt.Sprint("v", i)
		if _, err := code.CreateBranch(ctx, h, p, by, name, code.Heads+p.Head); err != nil {
			return nil, err
		}
		tag := code.NewTag{Name: name, Revision: code.Heads + p.Head, Message: "Release"}
		if _, err := code.CreateTag(ctx, h, p, by, tag); err != nil {
			return nil, err
		}
	}
	g, err := code.Open(ctx, h, p)
	if err != nil {
		return nil, err
	}
	comment, err := commentSpecimen(ctx, h, at, g, first, n)
	if err != nil {
		return nil, err
	}
	name := fmt.Sprint("v", n-1)
	return part.Values{
		"sha": first.ID.String(), "projects/blobs/sha": object.Hash(object.KindBlob, []byte(*last.Content)).String(),
		"discussion_id": comment.DiscussionID, "note_id": fmt.Sprint(comment.ID), "branch": name,
		"tag_name": name, "file_path": last.Path, "archive": "archive.tar.gz",
		"submodule": "lib", // there is none: the API cannot make one
	}, nil
}

// commentSpecimen makes n comments on a commit, and n replies to the last.
func commentSpecimen(
	ctx context.Context, h *db.Store, at part.Place, g *code.Git, on code.Commit, n int,
) (last code.Comment, err error) {
	for i := range n {
		comment := code.NewComment{Author: at.Owner, Note: fmt.Sprint("Note ", i)}
		if last, err = g.AddComment(ctx, on, comment); err != nil {
			return last, err
		}
	}
	thread := note.Discussion{ID: last.DiscussionID, Notes: []note.Note{last.Note}}
	for i := range n {
		reply := note.New{By: at.Owner, Body: fmt.Sprint("Reply ", i)}
		if _, err := note.Reply(ctx, h, g.CommitTarget(on), thread, reply); err != nil {
			return last, err
		}
	}
	return last, nil
}

// specimenFile writes a text to the file with a number.
func specimenFile(do string, file, text int) code.Action {
	return code.Action{Do: do, Path: fmt.Sprint("file-", file), Content: new(fmt.Sprint("text ", text, "\n"))}
}
