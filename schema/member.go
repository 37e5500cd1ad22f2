package schema

import "github.com/zclconf/go-cty/cty"

// Membership is set for kinds whose objects let somebody into their owner, and
// into all that is below it: members, and shares with a group.
type Membership struct {
	// Who names the reference to what is let in: a member's user, a share's group with
	// its members.
	Who string
	// Email names the attribute that states Who by an e-mail address, for somebody who
	// is invited: once the invitation is accepted, Who is known. "" is none.
	Email string
	// Level names the attribute that says what an object counts for in its
	// collection: the access level. "" makes all count alike.
	Level string
	// Least is the level from which an object lets in.
	Least int
	// Owner is the level from which an object owns what it is in, as owners of a group
	// do. 0 is never.
	Owner int
	// Inherited is the collection of what an owner passes on to what is below it, its
	// id in braces: "groups/{group}/members/all". An object may not have a lower level
	// than what it inherits. "" is none.
	Inherited string
	// Requested is set where users ask to be let in. The host is asked for the request
	// of a user by [Ask.Owner] and Key, the user's id or name.
	Requested bool
	// SparesNoted asks Who before an object that nobody declares is deleted: the object
	// stays where Who has a Note or cannot be read. Lists of members do not tell bots
	// from people.
	SparesNoted bool
}

// membership returns the kind's, or one that lets in nobody.
func (k *Kind) membership() Membership {
	if k.Members == nil {
		return Membership{}
	}
	return *k.Members
}

// Admits returns the reference to what an object lets into its owner, or "".
func (k *Kind) Admits() string { return k.membership().Who }

// LevelAttr returns the attribute that says what an object counts for, or "".
func (k *Kind) LevelAttr() string { return k.membership().Level }

// LeastLevel returns the level from which an object lets in.
func (k *Kind) LeastLevel() int { return k.membership().Least }

// OwnerLevel returns the level from which an object owns what it is in, or 0.
func (k *Kind) OwnerLevel() int { return k.membership().Owner }

// InheritedPath returns the template of [Kind.Above], or "".
func (k *Kind) InheritedPath() string { return k.membership().Inherited }

// SparesNoted reports whether the object that is let in has the last word before
// its membership is deleted.
func (k *Kind) SparesNoted() bool { return k.membership().SparesNoted }

// AllRequests is the key of an [Ask] for all users who ask to be let in to an owner. Their names
// are the notes of the objects.
const AllRequests = "*"

// Requested reports whether users ask to be let in.
func (k *Kind) Requested() bool { return k.membership().Requested }

// Invites reports whether an attribute of the kind invites somebody by an e-mail
// address.
func (k *Kind) Invites(a *Attr) bool { return a != nil && a.Name == k.membership().Email }

// Weight returns the level of an object, 0 where that is not known.
func (k *Kind) Weight(o Object) int {
	a := k.Attr(k.LevelAttr())
	if a == nil {
		return 0
	}
	v := a.Canonical(o.Get(a.Name))
	if v.IsNull() || !v.IsKnown() || v.Type() != cty.Number {
		return 0
	}
	n, _ := v.AsBigFloat().Int64()
	return int(n)
}

// Above returns the collection of what the owner of the given id passes on.
func (k *Kind) Above(owner string) Collection { return expand(k.InheritedPath(), owner) }

// Strictness is set for kinds that ask something of people, such as approvals.
type Strictness struct {
	// Looser names the attributes by which less is asked after than before.
	Looser func(before, after Object) []string
	// Under names the kind whose object of the same key, in a group around it, an
	// object must not be looser than. "" is none.
	Under string
}

// Looser names the attributes by which less is asked of people after than before.
func (k *Kind) Looser(before, after Object) []string {
	if k.Strict == nil {
		return nil
	}
	return k.Strict.Looser(before, after)
}

// Under returns the kind that an object must not be looser than, or "".
func (k *Kind) Under() string {
	if k.Strict == nil {
		return ""
	}
	return k.Strict.Under
}
