package provider

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"hew/provider/client"
	"hew/schema"
)

// pathOf fills a template from an object, and drops its query.
func pathOf(template string, o schema.Object) client.Path {
	template, _, _ = strings.Cut(template, "?")
	return client.Expand(template, func(name string) string { return pathVariable(o, name) })
}

// pathVariable returns the value of a variable: the object's id, the id or path of a
// reference, or the canonical text of another attribute.
func pathVariable(o schema.Object, name string) string {
	if name == idName {
		return o.ID
	}
	a := o.Kind.Attr(name)
	if a == nil {
		return ""
	}
	v := o.OrDefault(name)
	switch r := schema.AsRef(v); {
	case r == nil:
		text, err := convert.Convert(a.Canonical(v), cty.String)
		if err != nil || text.IsNull() || !text.IsKnown() {
			return ""
		}
		return text.AsString()
	case r.ID != "":
		return r.ID
	default:
		return r.Path
	}
}

// splitQuery returns the part of a template's query that identifies the object, and
// the constant rest.
func splitQuery(template string, o schema.Object) (which, rest url.Values, err error) {
	_, query, _ := strings.Cut(template, "?")
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, nil, err
	}
	which, rest = url.Values{}, url.Values{}
	for name, all := range values {
		for _, v := range all {
			variable, ok := strings.CutPrefix(strings.TrimSuffix(v, "}"), "{")
			switch {
			case !ok:
				rest.Add(name, v)
			case pathVariable(o, variable) != "":
				which.Add(name, pathVariable(o, variable))
			}
		}
	}
	return which, rest, nil
}

// queryOf returns the whole query of a template.
func queryOf(template string, o schema.Object) (url.Values, error) {
	all, rest, err := splitQuery(template, o)
	if err != nil {
		return nil, err
	}
	for name, values := range rest {
		all[name] = append(all[name], values...)
	}
	return all, nil
}

// withQuery adds a query to a body: filter[scope]=x as {filter: {scope: x}}.
func withQuery(body any, query url.Values) any {
	if len(query) == 0 {
		return body
	}
	out, _ := body.(map[string]any)
	if out == nil {
		out = map[string]any{}
	}
	for name, values := range query {
		outer, inner, nested := strings.Cut(strings.TrimSuffix(name, "]"), "[")
		if !nested {
			out[name] = values[0]
			continue
		}
		of, _ := out[outer].(map[string]any)
		if of == nil {
			of = map[string]any{}
		}
		of[inner] = values[0]
		out[outer] = of
	}
	return out
}

// get reads one object of a kind as JSON. o needs only the values in its path.
func (p *Provider) get(ctx context.Context, k *Kind, o schema.Object) (json.RawMessage, client.Reply, error) {
	var answer json.RawMessage
	values, err := queryOf(k.API.Item, o)
	if err != nil {
		return nil, client.Reply{}, err
	}
	reply, err := p.client.Get(ctx, pathOf(k.API.Item, o), values, &answer)
	return answer, reply, err
}
