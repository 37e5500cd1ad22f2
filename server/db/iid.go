package db

import (
	"context"
)

// NextIID returns the number for the next object of a kind in a group or project, from 1. Other
// transactions that ask wait for the commit, and no number is given twice.
func (s *Store) NextIID(ctx context.Context, c Container, thing string) (int, error) {
	_, args := Columns(c)
	args["thing"] = thing
	return Value[int](ctx, s, `
		insert into iids (namespace_id, project_id, thing, last) values (@namespace_id, @project_id, @thing, 1)
		on conflict on constraint iids_key do update set last = iids.last + 1
		returning last`, args)
}

// ReserveIID takes a number that a caller chose, so that NextIID gives only higher ones.
func (s *Store) ReserveIID(ctx context.Context, c Container, thing string, iid int) error {
	_, args := Columns(c)
	args["thing"], args["iid"] = thing, iid
	return s.Exec(ctx, `
		insert into iids (namespace_id, project_id, thing, last) values (@namespace_id, @project_id, @thing, @iid)
		on conflict on constraint iids_key do update set last = greatest(iids.last, excluded.last)`, args)
}
