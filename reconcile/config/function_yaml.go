package config

import (
	"fmt"

	ctyyaml "github.com/zclconf/go-cty-yaml"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"go.yaml.in/yaml/v3"
)

// yamldecode is the library's, once it is clear that the text does not stand
// for more than fits: nine aliases of nine aliases are few lines and billions
// of values.
var yamldecode = function.New(&function.Spec{
	Params: []function.Parameter{param("src", cty.String)},
	Type:   function.StaticReturnType(cty.DynamicPseudoType),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(args[0].AsString()), &doc); err != nil {
			return cty.NilVal, err
		}
		const most = 1_000_000
		if weigh(&doc, map[*yaml.Node]int{}, most) > most {
			return cty.NilVal, fmt.Errorf("the text stands for more than %d values, for it refers to the same ones again and again", most)
		}
		return ctyyaml.YAMLDecodeFunc.Call(args)
	},
})

// weigh counts the values that a node stands for, and stops soon after most.
func weigh(n *yaml.Node, seen map[*yaml.Node]int, most int) int {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if w, ok := seen[n]; ok {
		return w
	}
	seen[n] = most + 1 // of what refers to itself there is no end
	w := 1
	for _, c := range n.Content {
		if w += weigh(c, seen, most); w > most {
			break
		}
	}
	seen[n] = w
	return w
}
