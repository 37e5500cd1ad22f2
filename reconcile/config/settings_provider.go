package config

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

func (l *loader) loadProvider(b *hcl.Block) {
	if !l.requireRoot(b) {
		return
	}
	if len(b.Labels) > 0 {
		l.loadLabelledProvider(b)
		return
	}
	content, _ := l.readBody(b.Body, &providerSchema, "A provider block", b.DefRange)
	s := &settings{attrs: sortAttributes(content.Attributes)}
	if a := content.Attributes["token"]; a != nil {
		l.mask(a.Expr)
	}
	if l.declareSettings(b, b.Type, s) {
		l.provider = s
	}
}

// Provider returns the settings of the provider block. Without a block, all fields are
// zero and the environment decides.
func (c *Config) Provider() (ProviderSettings, hcl.Diagnostics) {
	if c.provider == nil {
		return ProviderSettings{}, nil
	}
	r := &report{}
	out := c.evalProvider(c.provider, r)
	for _, s := range c.hosts {
		if other := c.evalProvider(s, r); other.BaseURL != out.BaseURL || !sameToken(other.Token, out.Token) {
			r.fail(s.decl, "Conflicting provider blocks",
				"A run uses one host and one token, but this provider block differs from the one at %s. Move the "+
					"configuration of the other host to its own directory.", FormatRange(out.DeclRange))
		}
	}
	return out, c.seal(r.diags)
}

func sameToken(a, b cty.Value) bool {
	if a == cty.NilVal || b == cty.NilVal {
		return a == cty.NilVal && b == cty.NilVal
	}
	return a.RawEquals(b)
}

// evalProvider evaluates a provider block.
func (c *Config) evalProvider(s *settings, r *report) (out ProviderSettings) {
	out.DeclRange = s.decl
	ctx := c.constantScope(s.node, r)
	if ctx == nil {
		return out
	}
	for _, a := range s.attrs {
		v, diags := a.Expr.Value(ctx)
		r.add(diags)
		if diags.HasErrors() {
			continue
		}
		switch a.Name {
		case "base_url":
			r.decodeValue(a, v, &out.BaseURL)
		case "concurrency":
			r.decodeValue(a, v, &out.Concurrency)
			if out.Concurrency < 0 {
				r.fail(a.Expr.Range(), "Invalid value",
					"concurrency is the maximum number of parallel requests. It must be 1 or more, or 0 for the "+
						"default.")
			}
		case "token":
			var token string
			v, _ = v.UnmarkDeep()
			r.decodeValue(a, v, &token)
			if maskText().MatchString(token) {
				r.fail(a.Expr.Range(), "Invalid value", "token: %s.", errMask)
			}
			if token != "" {
				out.Token = cty.StringVal(token).Mark(schema.Secret)
			}
		}
	}
	return out
}
