package api

import (
	"context"

	"hew/server/protect"
	"hew/server/rest"
	"hew/server/scope"
)

// protectedRefs is what protected branches and tags have in common (spec 2 §2.5, gaps §7.4).
type protectedRefs struct{ kind protect.RefKind }

// refName is the branch, tag or pattern in the path.
type refName struct {
	Name string `param:"name"`
}

func (p protectedRefs) one(ctx context.Context, s scope.Container, name string) (protect.ProtectedRef, error) {
	return protect.ProtectedRefs(s.Store, s.Container, p.kind).One(ctx, protect.RefByName(name))
}

func (p protectedRefs) key(s scope.Container, name string) protect.RefKey {
	return protect.RefKey{In: s.Container, Kind: p.kind, Name: name}
}

func (p protectedRefs) delete(ctx context.Context, s scope.Container, in refName) (rest.None, error) {
	return rest.None{}, protect.RemoveProtection(ctx, s.Store, p.key(s, in.Name), s.Who(), rest.Unmodified)
}

// refLevelView is a level with a name for people.
type refLevelView struct {
	ID          int64  `json:"id"`
	AccessLevel *int   `json:"access_level"`
	Description string `json:"access_level_description"`
	UserID      *int64 `json:"user_id"`
	GroupID     *int64 `json:"group_id"`
	DeployKeyID *int64 `json:"deploy_key_id"`
}

// roleNames are the names of access levels that people read.
var roleNames = map[int]string{0: "No one", 30: "Developers + Maintainers", 40: "Maintainers", 60: "Instance admins"}

func refLevelViews(r protect.ProtectedRef, act protect.RefAct) []refLevelView {
	views := []refLevelView{}
	for _, l := range r.LevelsOf(act) {
		v := refLevelView{
			ID: l.ID, AccessLevel: l.AccessLevel, Description: l.Name, UserID: l.UserID, GroupID: l.GroupID,
			DeployKeyID: l.DeployKeyID,
		}
		if l.AccessLevel != nil {
			v.Description = roleNames[*l.AccessLevel]
		}
		views = append(views, v)
	}
	return views
}

// refGrant is a level to add; with an id, a level to change or to remove.
type refGrant struct {
	ID          int64    `param:"id"`
	AccessLevel *int     `param:"access_level" oneof:"0 30 40 60"`
	UserID      *int64   `param:"user_id"`
	GroupID     *int64   `param:"group_id"`
	DeployKeyID *int64   `param:"deploy_key_id"`
	Destroy     bool     `param:"_destroy"`
	_           struct{} `exclusive:"access_level user_id group_id deploy_key_id"`
}

func grantsOf(given []refGrant) []protect.RefGrant {
	grants := make([]protect.RefGrant, len(given))
	for i, g := range given {
		grants[i] = protect.RefGrant{Remove: g.Destroy, RefLevel: protect.RefLevel{
			ID: g.ID, AccessLevel: g.AccessLevel, UserID: g.UserID, GroupID: g.GroupID, DeployKeyID: g.DeployKeyID,
		}}
	}
	return grants
}
