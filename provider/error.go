package provider

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/provider/client"
	"hew/schema"
	"hew/schema/urlmask"
)

// failedReading returns the reading for an error.
func failedReading(k *Kind, err error) schema.Reading {
	switch {
	case client.IsUnsupported(err):
		return unsupportedReading(k, err)
	case client.IsForbidden(err):
		return schema.Reading{State: schema.Forbidden, Err: withRole(k, err)}
	}
	return schema.Reading{State: schema.Unreadable, Err: err}
}

// unsupportedReading returns the reading of a kind whose endpoint is missing. If every
// host has the kind, the error suggests other causes.
func unsupportedReading(k *Kind, err error) schema.Reading {
	why := fmt.Errorf("the endpoint is missing, although every host has it; check for a proxy, and the access of "+
		"the token: %w", err)
	if k.Gated {
		why = fmt.Errorf("%s is not supported by this instance: %w", k.Name, err)
	}
	return schema.Reading{State: schema.Unsupported, Err: why}
}

// withRole adds the role that the kind requires to a refusal, unless the client
// knows better (a scope of the token).
func withRole(k *Kind, err error) error {
	if e, ok := errors.AsType[*client.Error](err); ok && e.Need == "" &&
		(client.IsForbidden(err) || client.IsUnauthorized(err)) {
		e.Need = k.Need
	}
	return err
}

// explainUnsupported adds what to do about a write whose endpoint is missing. Without
// an endpoint to create objects, the host lacks the feature. Otherwise it may lack
// some arguments.
func explainUnsupported(k *Kind, template string, err error) error {
	switch {
	case !client.IsUnsupported(err):
		return err
	case template == k.API.Items && client.IsNotFound(err):
		return fmt.Errorf("%s cannot be created on this host; its edition or settings may lack the feature; remove "+
			"the "+
			"block, or enable the feature: %w", k.Name, err)
	}
	return fmt.Errorf("this host does not support all arguments of the %s; remove the unsupported ones: %w", k.Name,
		err)
}

// hideSecrets hides the secrets of an object and of URLs in an error, as hosts quote what
// they reject. Any attribute can have one, from a sensitive variable.
func hideSecrets(o schema.Object, err error) error {
	e, ok := errors.AsType[*client.Error](err)
	if !ok {
		return err
	}
	for a := range o.Kind.Arguments() {
		plain, _ := o.Get(a.Name).UnmarkDeep()
		switch {
		case a.IsSecret() || schema.IsSecret(o.Get(a.Name)):
		case a.Veiled():
			plain = secretPartsOf(a, plain)
		default:
			continue
		}
		_ = cty.Walk(plain, func(_ cty.Path, v cty.Value) (bool, error) {
			if v.Type() == cty.String && v.IsKnown() && !v.IsNull() && v.AsString() != "" {
				e.Hide(v.AsString())
			}
			return true, nil
		})
	}
	e.Rewrite(urlmask.RedactText)
	return err
}

// secretPartsOf returns the values of the hidden keys of a map, or the credentials
// of a URL.
func secretPartsOf(a *schema.Attr, v cty.Value) cty.Value {
	switch {
	case v.IsNull() || !v.IsKnown():
		return v
	case a.Partial():
		var parts []cty.Value
		for key, item := range v.AsValueMap() {
			if slices.Contains(a.HiddenKeys(), key) {
				parts = append(parts, item)
			}
		}
		return cty.TupleVal(parts)
	}
	both := strings.TrimSuffix(credentials(v.AsString()), "@")
	_, password, _ := strings.Cut(both, ":")
	return cty.TupleVal([]cty.Value{cty.StringVal(both), cty.StringVal(password)})
}
