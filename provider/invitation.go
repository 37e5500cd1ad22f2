package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/provider/client"
	"hew/schema"
)

// Invitations (gaps §5.3) are members who have not accepted yet. They are of the same
// kind, have the e-mail address as id, and requests of their own. They are listed only
// if the attribute email is wanted.

// mail names the attribute that holds the address.
const mail = "email"

// isInvitation reports whether an object is an invitation, or is to become one.
func (k *Kind) isInvitation(o schema.Object) bool {
	return k.API.Invitations != "" && (strings.Contains(o.ID, "@") || o.ID == "" && schema.Stated(o, mail))
}

// invitations lists the invitations of an owner. They are none if the host lacks the
// endpoint.
func (p *Provider) invitations(ctx context.Context, d *Decoder, owner string) (waiting []schema.Object, err error) {
	listing, err := p.client.List(ctx, client.To(d.kind.API.Invitations, owner), nil)
	if client.IsUnsupported(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for raw, err := range client.Items[json.RawMessage](listing) {
		if err != nil {
			return nil, err
		}
		o, err := d.invitation(raw)
		if err != nil {
			return nil, err
		}
		waiting = append(waiting, o)
	}
	return waiting, nil
}

// invitation decodes one invitation.
func (d *Decoder) invitation(raw []byte) (schema.Object, error) {
	var row struct {
		Email   string  `json:"invite_email"`
		Level   int64   `json:"access_level"`
		Expires *string `json:"expires_at"`
	}
	k := &d.kind.Kind
	if err := json.Unmarshal(raw, &row); err != nil || row.Email == "" {
		return schema.Object{Kind: k}, fmt.Errorf("the host answered an invitation without an address: %.80s", raw)
	}
	o := schema.Object{Kind: k, ID: row.Email, State: schema.Invited}
	expires := cty.NullVal(cty.String)
	if row.Expires != nil {
		expires = cty.StringVal(*row.Expires)
	}
	o.Value.Set(d.owner, d.of)
	d.SetReference(&o, "user", "", "")
	for name, v := range map[string]cty.Value{
		mail: cty.StringVal(row.Email), "access_level": cty.NumberIntVal(row.Level), "expires_at": expires,
		"state": cty.StringVal("invited"),
	} {
		o.Value.Set(k.Attr(name), v)
	}
	return o, nil
}

// invite sends an invitation. If the address belongs to a user, the host may add the
// member at once.
func (w *Write) invite(ctx context.Context) error {
	var attrs []*Attr
	for _, name := range w.kind.statedNames(w.want) {
		attrs = append(attrs, w.kind.row(name))
	}
	body, err := w.body(attrs, (*Attr).createName)
	if err != nil {
		return err
	}
	var answer struct {
		Status  string
		Message json.RawMessage
	}
	_, err = w.p.client.Post(ctx, pathOf(w.kind.API.Invitations, w.now), body, &answer)
	text := string(answer.Message)
	switch {
	case err == nil && answer.Status == "error" && strings.Contains(text, "already"):
		return fmt.Errorf("%w, or is a member under another address: %s", schema.ErrExists, text)
	case err == nil && answer.Status == "error":
		return fmt.Errorf("the host refused the invitation: %s", text)
	case err != nil && !client.IsUnknown(err):
		return explainUnsupported(w.kind, w.kind.API.Invitations, withRole(w.kind, err))
	}
	if o, there := w.p.findByKey(ctx, w.want); there {
		w.now = o
		return nil
	}
	if o, there := w.p.findAccepted(ctx, w.want); there {
		w.now = o
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w: %w", schema.ErrUnknown, err)
	}
	return fmt.Errorf("the host accepted the invitation, but shows neither the invitation nor a member with that " +
		"address; run hew plan again")
}

// findAccepted returns the member whose address it is.
func (p *Provider) findAccepted(ctx context.Context, want schema.Object) (schema.Object, bool) {
	r := p.lookUpUser(ctx, schema.Ask{Kind: p.Kinds().Named("user"), Key: stringOf(want, mail)})
	if len(r.Objects) == 0 {
		return schema.Object{}, false
	}
	r = p.find(ctx, schema.Ask{Kind: want.Kind, Owner: ownerID(want), ID: r.Objects[0].ID})
	if len(r.Objects) == 0 {
		return schema.Object{}, false
	}
	o := r.Objects[0]
	o.Value.Set(want.Kind.Attr(mail), want.Get(mail))
	return o, true
}

// reinvite updates an invitation.
func (w *Write) reinvite(ctx context.Context, changed []string) error {
	attrs := slices.DeleteFunc(w.updateAttrs(changed), func(a *Attr) bool { return a.Name == mail })
	body, err := w.body(attrs, (*Attr).createName)
	if err != nil {
		return err
	}
	var answer json.RawMessage
	if _, err := w.p.client.Put(ctx, pathOf(w.kind.API.Invitations+"/{id}", w.now), body, &answer); err != nil {
		return withRole(w.kind, err)
	}
	w.now, err = newDecoder(w.kind, ownerID(w.now), nil).invitation(answer)
	return err
}
