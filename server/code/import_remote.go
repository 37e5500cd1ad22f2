package code

import (
	"context"
	"io"

	"hew/schema/catalogue"
	"hew/server/db"
	"hew/server/git/object"
	"hew/server/git/pkt"
	"hew/server/git/remote"
	"hew/server/outbound"
	"hew/server/setting"
)

// RemoteImport is a repository on another host that is to become one that is empty so far.
type RemoteImport struct {
	At            Place
	URL           string // with credentials
	DefaultBranch string // the branch that is wanted, if there is one of that name; "": the one of HEAD
	// Hidden are the prefixes of refs to read beside branches and tags.
	Hidden []string
	// Rename returns the number of the merge request that such a ref is the head of; "" leaves it
	// out.
	Rename func(ref string) (iid string)
	// End is called in the transaction that stores the refs.
	End func(context.Context, *db.Store) error
}

// ImportRemote stores the branches and tags of a repository on another host, and the heads of merge
// requests. Like any import it breaks no rules and raises no events. The store must be bound to the
// pool. ImportText says what is wrong.
func ImportRemote(ctx context.Context, st *db.Store, out *outbound.Guard, i RemoteImport) error {
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return err
	}
	host := remote.Host{
		Guard: out, Policy: setting.OutboundPolicy(settings), Hidden: i.Hidden, Field: "the clone URL of the repository",
	}
	from, err := remote.Open(ctx, host, i.URL)
	if err != nil {
		return err
	}
	defer from.Close()
	push, wants, err := i.commands(from.Refs)
	if err != nil {
		return err
	}
	if len(wants) == 0 {
		return st.Tx(ctx, func(st *db.Store) error { return i.End(ctx, st) })
	}
	pack, err := from.Fetch(ctx, wants, nil)
	if err != nil {
		return err
	}
	defer pack.Close()
	heads := []string{from.Head}
	if i.DefaultBranch != "" {
		heads = append([]string{i.DefaultBranch}, heads...)
	}
	r := &reception{
		st: st, at: i.At, push: push, answer: &answer{out: io.Discard}, pack: newSizedPack(pack, settings),
		apply: importing{heads: heads, end: i.End}.apply,
	}
	_, err = r.run(ctx)
	return err
}

// commands returns the refs to store and the objects to ask for.
func (i RemoteImport) commands(refs []pkt.Ref) (push pkt.Push, wants []object.ID, err error) {
	push.Capabilities = pkt.Capabilities{"atomic"}
	seen := map[object.ID]bool{}
	for _, ref := range refs {
		kind, short := kindOf(ref.Name)
		name := ref.Name
		switch {
		case ref.ID.IsZero(), kind != "" && !catalogue.IsBranchName(short):
			return push, nil, badPack("the repository has a ref with a name or an id that is not valid")
		case kind == "":
			iid := i.Rename(ref.Name)
			if iid == "" {
				continue
			}
			name = MergeRequests + iid + "/head"
		}
		push.Commands = append(push.Commands, pkt.Command{Ref: name, New: ref.ID})
		if !seen[ref.ID] {
			seen[ref.ID] = true
			wants = append(wants, ref.ID)
		}
	}
	return push, wants, nil
}
