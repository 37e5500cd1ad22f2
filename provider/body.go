package provider

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// body encodes the wanted values of the attributes, under the names of the request,
// and records the attributes as sent. It leaves out what is in the path.
func (w *Write) body(attrs []*Attr, name func(*Attr) string) (map[string]any, error) {
	body := make(map[string]any, len(attrs))
	for _, a := range attrs {
		if strings.Contains(w.kind.API.Items, "{"+a.Name+"}") {
			continue
		}
		v, err := w.value(a)
		if err != nil {
			return nil, err
		}
		if each, ok := v.(map[string]any); ok && a.Spread {
			maps.Copy(body, each)
		} else {
			body[name(a)] = v
		}
		w.sent = append(w.sent, a)
	}
	return body, nil
}

// value returns the wanted value as JSON, or an error if it is still unknown.
func (w *Write) value(a *Attr) (any, error) {
	v, _ := w.want.Get(a.Name).UnmarkDeep()
	refs := schema.Refs(v)
	if !v.IsWhollyKnown() || a.RefKind() != "" && refs == nil && !v.IsNull() {
		return nil, fmt.Errorf("%s of the %s is not known yet and cannot be sent", a.Name, w.kind.Name)
	}
	for _, r := range refs {
		if r.ID == "" {
			return nil, fmt.Errorf("%s: %s %s does not exist, or the token cannot see it", a.Name, a.RefKind(), r)
		}
	}
	return a.encoded(v), nil
}

// verify compares the last answer with what was sent. Hosts answer 200 even if they
// ignore a parameter that is unknown, or forbidden by a license, setting or role.
// Attributes that are not in the answer, such as secrets, cannot be compared.
func (w *Write) verify(context.Context) error {
	var kept []string
	for _, a := range w.sent {
		got, answered := w.now.Value.Get(a.Name)
		if want := w.want.Get(a.Name); answered && !a.IsSecret() && (a.Partial() || !schema.IsSecret(want)) &&
			!a.Agrees(want, w.now.Told(a.Name, want)) {
			kept = append(kept, fmt.Sprintf("%s (sent %s, has %s)", a.Name, showValue(&a.Attr, want),
				showValue(&a.Attr, got)))
		}
	}
	if kept == nil {
		return nil
	}
	return fmt.Errorf("the host accepted the %s but did not change %s; "+
		"its version, license or settings, or the role of the token, may not allow the value", w.kind.Name,
		strings.Join(kept, ", "))
}

// hideKeys returns a map with (secret) for what is secret in it, and any other value as it is.
func hideKeys(a *schema.Attr, v cty.Value) cty.Value {
	if !a.Partial() || v.IsNull() || !v.IsKnown() || v.LengthInt() == 0 {
		return v
	}
	shown := v.AsValueMap()
	for key, item := range shown {
		if a.Hides(key, item) || schema.IsSecret(item) {
			shown[key] = cty.StringVal("(secret)")
		}
	}
	return cty.MapVal(shown)
}

// showValue renders a value for an error.
func showValue(a *schema.Attr, v cty.Value) string {
	if v.IsMarked() {
		return "(secret)"
	}
	v = a.Published(a.Canonical(hideKeys(a, v)))
	switch r := schema.AsRef(v); {
	case r != nil:
		return r.String()
	case a.ManyRefs():
		return fmt.Sprint(schema.Refs(v))
	case v.IsNull():
		return "nothing"
	case a.Show != nil:
		return a.Show(v)
	}
	return schema.Encode(v)
}
