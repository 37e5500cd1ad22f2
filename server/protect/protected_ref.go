package protect

import (
	"context"
	"time"

	"hew/server/db"
	"hew/server/tree"
)

// ProtectedRef is a branch or tag, or a pattern of names, with which only some may do what their
// role allows elsewhere (spec 2 §2.5, gaps §7.4). It need not exist: the name is protected.
type ProtectedRef struct {
	ID int64 `db:"id,auto" json:"id"`
	db.Container
	Kind                      RefKind    `db:"kind" json:"-"`
	Name                      string     `db:"name" json:"name"` // * stands for anything
	AllowForcePush            bool       `db:"allow_force_push" json:"allow_force_push"`
	CodeOwnerApprovalRequired bool       `db:"code_owner_approval_required" json:"code_owner_approval_required"`
	Levels                    []RefLevel `db:"levels,auto" json:"-"` // by id; setRefLevels writes them
	CreatedAt                 time.Time  `db:"created_at,auto" json:"-"`
	UpdatedAt                 time.Time  `db:"updated_at,auto" json:"-"`
}

// RefKind says whether a protected ref is a branch or a tag.
type RefKind string

// The kinds.
const (
	Branch RefKind = "branch"
	Tag    RefKind = "tag"
)

// RefLevel is one of those who may act on a protected ref: a role, a user, the members of a group,
// or a deploy key.
type RefLevel struct {
	ID          int64  `json:"id"`
	Act         RefAct `json:"act"`
	AccessLevel *int   `json:"access_level"`
	UserID      *int64 `json:"user_id"`
	GroupID     *int64 `json:"group_id"`
	DeployKeyID *int64 `json:"deploy_key_id"`
	Name        string `json:"name"` // of the user, group or key, as it is read
}

// RefAct is an act that a protected ref controls.
type RefAct string

// The acts: the first three with branches, the last with tags.
const (
	Push      RefAct = "push"
	Merge     RefAct = "merge"
	Unprotect RefAct = "unprotect"
	Create    RefAct = "create"
)

// LevelsOf returns the levels of one act.
func (r ProtectedRef) LevelsOf(act RefAct) []RefLevel {
	levels := []RefLevel{}
	for _, l := range r.Levels {
		if l.Act == act {
			levels = append(levels, l)
		}
	}
	return levels
}

const selectProtectedRefs = `
	select t.*, coalesce((
		select json_agg(json_build_object(
			'id', l.id, 'act', l.act, 'access_level', l.access_level, 'user_id', l.user_id, 'group_id', l.group_id,
			'deploy_key_id', l.deploy_key_id, 'name', coalesce(u.name, g.name, k.title, '')) order by l.id)
		from protected_ref_levels l left join users u on u.id = l.user_id left join namespaces g on g.id = l.group_id
		     left join deploy_keys k on k.id = l.deploy_key_id
		where l.protected_ref_id = t.id), '[]') as levels
	from protected_refs t`

// ProtectedRefs returns the protected branches or tags of a group or project itself, without those
// of groups above.
func ProtectedRefs(s *db.Store, c db.Container, kind RefKind) db.Held[ProtectedRef] {
	refs := db.NewHeld[ProtectedRef](s, c, "protected_refs")
	refs.Select = selectProtectedRefs
	refs.Filter = refsOfKind(kind)
	return refs
}

func refsOfKind(kind RefKind) db.Condition {
	return func(w *db.Where) { w.And(`t.kind = @kind`, kind) }
}

// RefByName returns a condition that matches the ref with the name.
func RefByName(name string) db.Condition {
	return func(w *db.Where) { w.And(`t.name = @name`, name) }
}

// RefsMatching returns a condition that matches refs with words in their name. No words match every
// ref.
func RefsMatching(words string) db.Condition {
	return func(w *db.Where) { w.AndIf(words != "", `t.name ilike @like`, tree.Infix(words)) }
}

// ListProtectedRefs lists what a group or project and the groups above it protect.
func ListProtectedRefs(
	ctx context.Context, s *db.Store, c db.Container, kind RefKind, p db.Page, which ...db.Condition,
) ([]ProtectedRef, int, error) {
	return db.List[ProtectedRef](ctx, s, p, nil, "t.id", selectProtectedRefs, whereProtected(c, kind, which))
}

// AllProtectedRefs returns what a group or project and the groups above it protect, without pages.
// An empty kind stands for both.
func AllProtectedRefs(
	ctx context.Context, s *db.Store, c db.Container, kind RefKind, which ...db.Condition,
) ([]ProtectedRef, error) {
	w := whereProtected(c, kind, which)
	return db.Many[ProtectedRef](ctx, s, selectProtectedRefs+w.String()+` order by t.id`, w.Args)
}

func whereProtected(c db.Container, kind RefKind, which []db.Condition) *db.Where {
	w := db.NewWhere(nil)
	w.AndIf(c.NamespaceID != nil, `t.namespace_id = any((select traversal_ids from namespaces
		where id = @namespace)::bigint[])`,
		c.NamespaceID)
	w.AndIf(c.ProjectID != nil, `t.project_id = @project or t.namespace_id = any((
		select n.traversal_ids from projects p join namespaces n on n.id = p.namespace_id
			where p.id = @project)::bigint[])`,
		c.ProjectID)
	if kind != "" {
		which = append(which, refsOfKind(kind))
	}
	for _, narrow := range which {
		narrow(w)
	}
	return w
}
