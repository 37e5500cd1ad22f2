package provider

import (
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// objectsOut converts a map from names to ids to a list of objects. of names both
// fields, as in "full_path:group_id".
func objectsOut(of string) func(cty.Value) cty.Value {
	name, id, _ := strings.Cut(of, ":")
	return func(v cty.Value) cty.Value {
		list := []cty.Value{}
		for key, value := range v.Elements() {
			list = append(list, cty.ObjectVal(map[string]cty.Value{name: key, id: value}))
		}
		return cty.TupleVal(list)
	}
}

// rowsOut gives fields of listed objects other names. of has them in pairs, as in
// "group_id:id,visibility_level:visibility".
func rowsOut(of string) func(cty.Value) cty.Value {
	return func(v cty.Value) cty.Value {
		list := []cty.Value{}
		for _, row := range v.Elements() {
			fields := row.AsValueMap()
			for pair := range strings.SplitSeq(of, ",") {
				theirs, ours, _ := strings.Cut(pair, ":")
				fields[theirs] = fields[ours]
				delete(fields, ours)
			}
			list = append(list, cty.ObjectVal(fields))
		}
		return cty.TupleVal(list)
	}
}
