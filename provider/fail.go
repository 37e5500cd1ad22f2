package provider

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/provider/client"
	"hew/schema"
)

// failedReading turns an error of a read into what it says about the thing read.
func failedReading(k *Kind, err error) schema.Reading {
	switch {
	case client.IsUnsupported(err):
		return unsupportedReading(k, err)
	case client.IsForbidden(err):
		return schema.Reading{State: schema.Forbidden, Err: withRole(k, err)}
	}
	return schema.Reading{State: schema.Unreadable, Err: err}
}

// unsupportedReading says that the host answers as if it did not have the kind. Of one that
// every host has, that says nothing about the host.
func unsupportedReading(k *Kind, err error) schema.Reading {
	why := fmt.Errorf("the endpoint is missing, although every host has it; check for a proxy, and the access of the token: %w", err)
	if k.Gated {
		why = fmt.Errorf("%s is not supported by this instance: %w", k.Name, err)
	}
	return schema.Reading{State: schema.Unsupported, Err: why}
}

// withRole adds the role that the kind takes to an error of permission, unless
// the client knows better (a scope of the token).
func withRole(k *Kind, err error) error {
	if e, ok := errors.AsType[*client.Error](err); ok && e.Need == "" && (client.IsForbidden(err) || client.IsUnauthorized(err)) {
		e.Need = k.Need
	}
	return err
}

// explainUnsupported says what to do about a write that the host does not have: without an
// endpoint to make objects by, it lacks the feature; else it may know the kind and
// yet not all that can be stated of one.
func explainUnsupported(k *Kind, template string, err error) error {
	switch {
	case !client.IsUnsupported(err):
		return err
	case template == k.API.Items && client.IsNotFound(err):
		return fmt.Errorf("this host cannot create a %s; its edition or settings may lack the feature; remove the block, or enable the feature: %w", k.Name, err)
	}
	return fmt.Errorf("this host does not support all arguments of the %s; remove the unsupported ones: %w", k.Name, err)
}

// hideSecrets hides the secrets of an object in what the host said: hosts quote
// what they refuse. Any attribute can have one, from a sensitive variable.
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
	return err
}

// secretPartsOf is what must not be shown of a value: the hidden keys of a map, the
// credentials of a URL.
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
