package view

import (
	"context"
	"fmt"
	"io"
	"regexp"

	"hew/server/db"
	"hew/server/rest"
	"hew/server/tree"
)

var Upload = regexp.MustCompile(`^/uploads/-/system/(group|project)/avatar/([0-9]+)/[^/]+$`)

// AvatarInto stores an uploaded avatar of a group or project, or removes the existing one if the
// upload is empty. It sets at to the path of the avatar.
func AvatarInto(ctx context.Context, st *db.Store, c db.Container, sent rest.Opt[*rest.File], at **string) error {
	file, _ := sent.Value()
	switch {
	case !sent.Given():
		return nil
	case file == nil:
		*at = nil
		return tree.RemoveAvatar(ctx, st, c)
	}
	content, err := io.ReadAll(io.LimitReader(file.Open(), tree.MaxAvatar+1))
	if err != nil {
		return fmt.Errorf("read the avatar: %w", err)
	}
	path, err := tree.SetAvatar(ctx, st, c, file.Name, content)
	*at = &path
	return err
}

// Picture is the address of an avatar; nil where there is none.
func (a *Site) Picture(path *string) *string {
	if path == nil {
		return nil
	}
	at := a.Web(*path)
	return &at
}
