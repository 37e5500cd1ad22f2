package api

import (
	"context"
	"net/http"
	"time"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/group"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/view"
)

// billable are the users who take seats in top-level groups (spec 2 §2.8 and §4.6, gaps §5.1).
type billable struct{ *view.Site }

func (a billable) routes() []rest.Route {
	const path = "/groups/{id}/billable_members"
	top := atTop(scope.ForGroup(adminGroupMember))
	return []rest.Route{
		rest.Get(path, top, a.list),
		rest.Get(path+"/{user_id}/memberships", top, a.listMemberships),
		rest.Get(path+"/{user_id}/indirect", top, a.listIndirect),
		rest.Delete(path+"/{user_id}", top, a.delete),
	}
}

// atTop returns a guard that refuses subgroups, because seats are counted in top-level groups.
func atTop(g rest.Guard[scope.InGroup]) rest.Guard[roster] {
	return rest.Guard[roster]{Need: g.Need, Open: func(ctx context.Context, r *http.Request) (roster, error) {
		group, err := g.Open(ctx, r)
		switch {
		case err != nil:
			return roster{}, err
		case group.Group.ParentID != nil:
			return roster{}, fault.BadRequest("billable members are those of a group at the top, this is a subgroup")
		}
		return rosterOfGroup(group), nil
	}}
}

type billableList struct {
	rest.Paging
	Search string `param:"search"`
	Sort   string `param:"sort" oneof:"access_level_asc access_level_desc last_joined name_asc name_desc oldest_joined oldest_sign_in recent_sign_in last_activity_on_asc last_activity_on_desc"`
}

// billableSorts are the orders of the store by values of the parameter. The default is by id.
var billableSorts = map[string]db.Page{
	"access_level_asc":      {Order: "access_level"},
	"access_level_desc":     {Order: "access_level", Desc: true},
	"last_joined":           {Order: "joined", Desc: true},
	"oldest_joined":         {Order: "joined"},
	"name_asc":              {Order: "name"},
	"name_desc":             {Order: "name", Desc: true},
	"oldest_sign_in":        {Order: "first_login"},
	"recent_sign_in":        {Order: "last_login", Desc: true},
	"last_activity_on_asc":  {Order: "last_activity_on"},
	"last_activity_on_desc": {Order: "last_activity_on", Desc: true},
}

type billableView struct {
	view.BasicUser
	Email          string     `json:"email,omitempty"`
	LastActivityOn *db.Date   `json:"last_activity_on"`
	MembershipType string     `json:"membership_type"`
	Removable      bool       `json:"removable"`
	CreatedAt      time.Time  `json:"created_at"`
	LastLoginAt    *time.Time `json:"last_login_at"`
}

func (a billable) view(m group.BillableMember) billableView {
	return billableView{
		BasicUser: a.BasicUser(m.Person()), LastActivityOn: m.LastActivityOn, MembershipType: m.MembershipType,
		Removable: m.Removable, CreatedAt: m.CreatedAt, LastLoginAt: m.LastLoginAt,
		Email: db.OrZero(m.Email),
	}
}

func (a billable) list(ctx context.Context, r roster, in billableList) (rest.List[billableView], error) {
	page := billableSorts[in.Sort]
	page.Limit, page.Offset = in.Limit(), in.Offset()
	return rest.Pages(a.view)(group.BillableMembers(ctx, r.Store, r.Source.Root(), in.Search, page))
}

type seatList struct {
	rest.Paging
	UserID int64 `param:"user_id"`
}

type seatView struct {
	ID               int64     `json:"id"`
	SourceID         int64     `json:"source_id"`
	SourceFullName   string    `json:"source_full_name"`
	SourceMembersURL string    `json:"source_members_url"`
	CreatedAt        time.Time `json:"created_at"`
	ExpiresAt        *db.Date  `json:"expires_at"`
	AccessLevel      seatLevel `json:"access_level"`
}

type seatLevel struct {
	StringValue  string    `json:"string_value"`
	IntegerValue int       `json:"integer_value"`
	CustomRole   *struct{} `json:"custom_role"` // null: there are no custom roles
}

func (a billable) seatView(s group.Seat) seatView {
	page := a.Web("groups/" + s.SourceFullPath + "/-/group_members")
	if s.InProject {
		page = a.Web(s.SourceFullPath + "/-/project_members")
	}
	return seatView{
		ID: s.ID, SourceID: s.SourceID, SourceFullName: s.SourceFullName, SourceMembersURL: page,
		CreatedAt:   s.CreatedAt,
		ExpiresAt:   s.ExpiresAt,
		AccessLevel: seatLevel{StringValue: group.RoleName(s.AccessLevel), IntegerValue: s.AccessLevel},
	}
}

// listMemberships lists the memberships of a user in the group and below.
func (a billable) listMemberships(ctx context.Context, r roster, in seatList) (rest.List[seatView], error) {
	return a.listSeats(ctx, r, in, group.SeatFilter{})
}

// listIndirect lists the memberships of a user in invited groups.
func (a billable) listIndirect(ctx context.Context, r roster, in seatList) (rest.List[seatView], error) {
	return a.listSeats(ctx, r, in, group.SeatFilter{Invited: true})
}

func (a billable) listSeats(
	ctx context.Context, r roster, in seatList, f group.SeatFilter,
) (rest.List[seatView], error) {
	f.Root, f.UserID = r.Source.Root(), in.UserID
	if _, err := group.FindBillableMember(ctx, r.Store, f.Root, f.UserID); err != nil {
		return rest.List[seatView]{}, err
	}
	return rest.Pages(a.seatView)(group.Seats(ctx, r.Store, f, scope.PageOf(in.Paging)))
}

func (a billable) delete(ctx context.Context, r roster, in memberID) (rest.None, error) {
	return rest.None{}, group.RemoveBillableMember(ctx, r.Store, r.Roster, in.UserID)
}
