package report

import (
	"fmt"
	"maps"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/plan"
	"hew/schema"
)

// kind is the kind of a change, with an attribute for everything that the
// change mentions, and with the defaults that the document has: what this hew
// takes for the host's is another matter.
func (r *Reread) kind(j Change) (*schema.Kind, error) {
	k := r.Kinds(j.Kind)
	stranger := k == nil
	if stranger {
		r.note("This hew has no kind %s; what the plan says of it is shown as it stands.", j.Kind)
		k = &schema.Kind{Name: j.Kind}
	}
	missing := missingFrom(k, j)
	if len(missing) == 0 && j.Action != plan.Create.Name() {
		return k, nil
	}
	for _, name := range missing {
		if !stranger {
			r.note("This hew knows no attribute %s of a %s; what the plan says of it is shown as it stands.", name, j.Kind)
		}
	}
	key := fmt.Sprintf("%q %q %#v", j.Kind, missing, j.Defaults)
	if r.made[key] != nil {
		return r.made[key], nil
	}
	made, err := widened(k, missing, j.Defaults)
	if err != nil {
		return nil, err
	}
	if r.made == nil {
		r.made = map[string]*schema.Kind{}
	}
	r.made[key] = made
	return made, nil
}

// missingFrom are the attributes that a change mentions and the kind has not.
func missingFrom(k *schema.Kind, j Change) (missing []string) {
	var names []string
	for _, p := range j.Paths {
		names = append(names, p.Path)
	}
	for _, name := range slices.Concat(names, slices.Sorted(maps.Keys(j.Before)), slices.Sorted(maps.Keys(j.Defaults))) {
		if k.Attr(name) == nil && !slices.Contains(missing, name) {
			missing = append(missing, name)
		}
	}
	return missing
}

// widened is a kind with more attributes, and with other defaults.
func widened(k *schema.Kind, more []string, defaults map[string]any) (*schema.Kind, error) {
	as := *k
	as.Attrs = slices.Clone(k.Attrs)
	for _, name := range more {
		as.Attrs = append(as.Attrs, schema.Attr{Name: name, Type: cty.DynamicPseudoType})
	}
	for i := range as.Attrs {
		a := &as.Attrs[i]
		a.Default = nil
		if value, ok := defaults[a.Name]; ok {
			v, err := valueOf(plain{value: value}, a.Ref != "")
			if err != nil {
				return nil, fmt.Errorf("%s: %w", a.Name, err)
			}
			a.Default = schema.Value(v)
		}
	}
	return &as, nil
}
