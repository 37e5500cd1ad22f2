package view

import (
	"context"
	"fmt"
	"io"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/rest"
	"hew/server/tree"
)

// AvatarParam is the parameter avatar: the picture of what a route makes or changes. An empty one
// removes the picture there is.
type AvatarParam struct {
	File rest.Opt[*rest.File] `param:"avatar"`

	picture tree.Picture
	wrong   error // what is wrong with the file
}

// Prepare implements rest.Preparer: it stores the picture before the transaction begins.
func (a *AvatarParam) Prepare(ctx context.Context) error {
	file, _ := a.File.Value()
	if file == nil {
		return nil
	}
	content, err := io.ReadAll(io.LimitReader(file.Open(), tree.MaxAvatar+1))
	if err != nil {
		return fmt.Errorf("read the avatar: %w", err)
	}
	a.picture, err = tree.NewPicture(ctx, db.From(ctx), file.Name, content)
	if fault.CodeOf(err) == fault.CodeInvalid {
		a.wrong, err = err, nil
	}
	return err
}

// Store gives something the picture, or removes the one it has, and sets at to the path of the
// avatar. Without the parameter it does nothing.
func (a AvatarParam) Store(ctx context.Context, st *db.Store, of tree.Pictured, at **string) error {
	switch {
	case !a.File.Given():
		return nil
	case a.wrong != nil:
		return a.wrong
	case a.File.IsNull():
		*at = nil
		return tree.RemoveAvatar(ctx, st, of)
	}
	path, err := tree.SetAvatar(ctx, st, of, a.picture)
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
