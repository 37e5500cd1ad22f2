package docs

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/report"
	"hew/schema"
)

// Kinds describes all kinds. hew schema prints it, and the pages of the reference are written from
// it, so that the two cannot differ.
type Kinds struct {
	FormatVersion string          `json:"format_version"`
	Resources     map[string]Kind `json:"resources"`
	Sources       map[string]Kind `json:"data_sources"`
}

// Kind is a kind of resource or data source.
type Kind struct {
	Doc       string   `json:"description"`
	Owner     string   `json:"owner,omitempty"`     // the attribute that names what it belongs to
	Holds     string   `json:"holds,omitempty"`     // how many an owner, or the instance, has; nothing for many
	Key       []string `json:"key,omitempty"`       // the first stated of these recognises an object
	Twins     string   `json:"twins,omitempty"`     // what happens where several have the key
	Import    []string `json:"import,omitempty"`    // forms of an import block's id, beside the id on the host
	Element   string   `json:"element,omitempty"`   // a set kind's elements are of this kind
	Exclusive string   `json:"exclusive,omitempty"` // how the whole collection is claimed
	Spared    string   `json:"spared,omitempty"`    // what a claim does not touch
	Removal   string   `json:"removal,omitempty"`   // what happens when a block goes
	Need      string   `json:"need,omitempty"`      // the role that it takes
	Gated     bool     `json:"gated,omitempty"`     // not every host has it
	Example   string   `json:"example,omitempty"`

	Attributes []Attribute `json:"attributes"`
}

// Attribute is an argument or an attribute of a kind.
type Attribute struct {
	Name    string `json:"name"`
	Type    string `json:"type"`
	Mode    string `json:"mode"`
	Default any    `json:"default,omitempty"` // what a removed line goes back to
	// what most hosts give a new object, so that hew pull does not say it
	Usual     any      `json:"usual,omitempty"`
	Instead   string   `json:"instead,omitempty"`   // the attribute that says the same, and is to be preferred
	Values    []string `json:"values,omitempty"`    // all that are accepted, where they can be listed
	Accepts   string   `json:"accepts,omitempty"`   // what is, where values cannot be listed
	Alike     string   `json:"alike,omitempty"`     // what makes no difference between two values
	Reference string   `json:"reference,omitempty"` // the kind it refers to: the resource, an id or a name
	Fixed     bool     `json:"fixed,omitempty"`     // a new value means a new object
	Once      bool     `json:"once,omitempty"`      // said only when the object is created
	Local     bool     `json:"local,omitempty"`     // said to hew, and not to the host
	Named     bool     `json:"named,omitempty"`     // plans and the ledger tell it, so it is no secret
	Secret    bool     `json:"secret,omitempty"`
	Readable  bool     `json:"readable,omitempty"`  // a secret that hosts show to users who can change it
	With      []string `json:"sent_with,omitempty"` // sent again when one of these changes
	Detail    bool     `json:"detail,omitempty"`    // costs a request for each object that states it
	Doc       string   `json:"description"`
}

func resourceDoc(k *schema.Kind, all schema.Catalog) Kind {
	doc := Kind{
		Doc: k.Doc, Holds: counts[k.Holds], Key: k.Match.Keys, Need: k.Need, Gated: k.Gated, Example: k.Example,
		Twins: twins(k), Import: importForms(k), Exclusive: exclusiveForm(k), Removal: removal(k),
		Attributes: attrDocs(k),
	}
	if o := k.Owner(); o != nil {
		doc.Owner = o.Name
	}
	element := k
	if k.Set != nil {
		element, doc.Element = all.Resources[k.Set.Element], k.Set.Element
	}
	if element.LevelAttr() != "" {
		doc.Spared = "bots of access tokens and members synchronized from a directory"
	}
	return doc
}

func sourceDoc(k *schema.Kind) Kind {
	doc := Kind{Doc: k.Doc, Key: k.Data.Keys, Need: k.Need, Example: k.Example, Attributes: attrDocs(k)}
	if !k.Data.Single {
		doc.Owner = k.Data.Owner
	}
	return doc
}

var counts = map[schema.Count]string{schema.OneOrNone: "one or none", schema.One: "one"}

var modes = map[schema.Mode]string{
	schema.Optional: "optional", schema.Required: "required", schema.Computed: "computed",
}

func attrDocs(k *schema.Kind) []Attribute {
	docs := make([]Attribute, len(k.Attrs))
	for i := range k.Attrs {
		a := &k.Attrs[i]
		d := Attribute{Name: a.Name, Type: typeText(a.Type), Mode: modes[a.Mode], Values: a.Accepts.Words,
			Accepts: a.Accepts.Doc, Alike: a.Form.Alike,
			Reference: a.RefKind(),
			Fixed:     a.ForceNew, Instead: a.Instead, Once: a.SentOnce(), Local: a.Local(), Named: a.Named,
			Secret: a.IsSecret(), Readable: a.Readable(), With: a.SentWith(), Detail: a.Detail, Doc: a.Doc}
		if a.Default != nil && !a.IsSecret() {
			d.Default, _ = report.PlainValue(a.Default(schema.Object{Kind: k}))
		}
		if a.Usual != nil {
			d.Usual, _ = report.PlainValue(a.Usual(schema.Object{Kind: k}))
		}
		docs[i] = d
	}
	return docs
}

// twins says what happens where several live objects have the key, for kinds
// where that can be.
func twins(k *schema.Kind) string {
	unique := k.Set != nil || k.Tree != nil || k.Holds != schema.Many ||
		!slices.ContainsFunc(k.Match.Keys, func(key string) bool { return k.Attr(key).RefKind() == "" })
	switch {
	case unique:
		return ""
	case k.Match.Twins == schema.Lowest:
		return "If several objects match, hew takes the one with the lowest id and reports the others."
	}
	return "If several objects match, the plan is blocked until an `import` block names one."
}

// importForms returns the forms of an import block's id, which plans print.
func importForms(k *schema.Kind) []string {
	owner := ""
	switch {
	case k.Set != nil || k.Holds == schema.One:
		return nil // adopted one by one, or by itself
	case k.Holds == schema.OneOrNone:
		return []string{strings.ToUpper(k.Owner().Name)}
	case k.Tree != nil:
		return []string{"FULL_PATH"}
	case k.Owner() != nil:
		owner = strings.ToUpper(k.Owner().Name) + ":"
	}
	forms := make([]string, len(k.Match.Keys))
	for i, key := range k.Match.Keys {
		forms[i] = owner + strings.ToUpper(strings.Join(append([]string{key}, k.Match.Also...), ":"))
	}
	return forms
}

// exclusiveForm is how everything that nobody declares is claimed.
func exclusiveForm(k *schema.Kind) string {
	switch {
	case k.Set != nil:
		return fmt.Sprintf("%s = true", k.Set.Exclusive)
	case k.Owner() != nil && k.Holds == schema.Many:
		return fmt.Sprintf("exclusive %q NAME { of = %s }", k.Name, strings.ToUpper(k.Owner().Name))
	}
	return ""
}

// removal says what a block's going means.
func removal(k *schema.Kind) string {
	const reset = "resets the arguments that it set to their defaults"
	switch {
	case k.Set != nil:
		return fmt.Sprintf("If you remove an element from `%[1]s`, hew deletes that %[2]s. If you remove the whole "+
			"block, all %[2]ss stay on the host, unless a `removed` block sets `destroy = true`.", k.Set.Attr,
			noun(k.Set.Element))
	case k.Soft && k.Owner() == nil:
		return fmt.Sprintf("If you remove the block, hew deletes the %s. The host deletes it in the background; its "+
			"%s stays in use until then.", noun(k.Name), k.Tree.Segment)
	case k.Soft:
		return fmt.Sprintf("If you remove the block, hew deletes the %s with everything in it. The host may only "+
			"mark it for deletion; its path stays in use until then. To restore it, declare it again with "+
			"`lifecycle { allow = [\"restore\"] }`.", noun(k.Name))
	case k.Holds == schema.One:
		return "If you remove the block, hew " + reset + "."
	case k.Holds == schema.OneOrNone:
		return fmt.Sprintf("If you remove the block, hew deletes the %s if it created them. Otherwise it %s.",
			noun(k.Name), reset)
	}
	return fmt.Sprintf("If you remove the block, hew deletes the %s.", noun(k.Name))
}

// nouns replaces the ends of names of kinds that are not nouns.
var nouns = strings.NewReplacer("ldap", "LDAP", "saml", "SAML", "push rule", "push rules",
	"protected branch", "branch protection", "protected tag", "tag protection",
	"error tracking key", "error tracking key", "error tracking", "error tracking settings")

// noun returns what people call an object of a kind: the SAML link, not the group saml link.
func noun(kind string) string {
	words := strings.ReplaceAll(kind, "_", " ")
	for _, owner := range []string{"group ", "project ", "instance "} {
		if rest, ok := strings.CutPrefix(words, owner); ok {
			return nouns.Replace(rest)
		}
	}
	return nouns.Replace(words)
}

// typeText is a type as a variable block would spell it.
func typeText(ty cty.Type) string {
	switch {
	case ty.IsListType():
		return "list(" + typeText(ty.ElementType()) + ")"
	case ty.IsSetType():
		return "set(" + typeText(ty.ElementType()) + ")"
	case ty.IsMapType():
		return "map(" + typeText(ty.ElementType()) + ")"
	case ty.IsObjectType():
		var fields []string
		for _, name := range slices.Sorted(maps.Keys(ty.AttributeTypes())) {
			field := typeText(ty.AttributeType(name))
			if ty.AttributeOptional(name) {
				field = "optional(" + field + ")"
			}
			fields = append(fields, name+" = "+field)
		}
		return "object({ " + strings.Join(fields, ", ") + " })"
	case ty == cty.DynamicPseudoType:
		return "any"
	}
	return ty.FriendlyNameForConstraint()
}
