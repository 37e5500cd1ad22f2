package provider

import (
	"context"
	"encoding/json"
	"slices"

	"hew/provider/client"
	"hew/schema"
)

// getWhole reads one object with the attributes to keep that are listed elsewhere, or with all of
// them if keep is nil.
func (p *Provider) getWhole(ctx context.Context, k *Kind, o schema.Object, keep []string) (json.RawMessage, error) {
	raw, _, err := p.get(ctx, k, o)
	if err != nil {
		return nil, err
	}
	return p.addLists(ctx, k, o, keep, raw)
}

// addLists adds the lists of [Attr.List] to the answer for one object, as fields of the attributes.
func (p *Provider) addLists(ctx context.Context, k *Kind, o schema.Object, keep []string,
	answer json.RawMessage) (json.RawMessage, error) {
	lists := map[string]json.RawMessage{}
	for i := range k.Table {
		a := &k.Table[i]
		if a.List == "" || keep != nil && !slices.Contains(keep, a.Name) {
			continue
		}
		listing, err := p.client.List(ctx, pathOf(a.List, o), nil)
		if err != nil {
			return nil, err
		}
		rows := []json.RawMessage{}
		for row, err := range client.Items[json.RawMessage](listing) {
			if err != nil {
				return nil, err
			}
			rows = append(rows, row)
		}
		lists[a.fieldName()], _ = json.Marshal(rows) // made of JSON
	}
	if len(lists) == 0 || isNull(answer) {
		return answer, nil
	}
	for name, value := range members(answer) {
		if lists[string(name)] == nil {
			lists[string(name)] = value
		}
	}
	return json.Marshal(lists)
}
