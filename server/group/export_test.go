package group

import (
	"fmt"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// Names for tests outside of the package, which can import servertest.
type Candidate = candidate

var (
	DeleteMember       = deleteMember
	EnsureOwner        = ensureOwner
	FindCandidates     = findCandidates
	FindConfirmedUsers = findConfirmedUsers
	FindShare          = findShare
	IsLastOwner        = isLastOwner
	ListDirectMembers  = listDirectMembers
	RemoveIdleBots     = removeIdleBots
	RemoveMembersBelow = removeMembersBelow
	RemoveMembersOf    = removeMembersOf
	TakeInvitations    = takeInvitations
	UpdateMember       = updateMember
	UpdateOverride     = updateOverride
)

// GroupsQuery returns the query that reads a page of groups. For groups that belong to somebody it
// is the one for few.
func GroupsQuery(f GroupFilter, p db.Page) (string, pgx.NamedArgs) {
	w := f.Where()
	if p.After.ID != 0 {
		w.Args["after_name"], w.Args["after_id"] = p.After.Name, p.After.ID
		w.And(groupOrders.After(p, "n.id"))
	}
	sql := f.Query() + w.String()
	if f.Owned || f.MinLevel > 0 || f.Open == nil {
		sql = db.OrderLast(sql, "n.id")
	}
	return fmt.Sprintf("%s%s limit %d", sql, groupOrders.Clause(p, "n.id"), p.Limit), w.Args
}
