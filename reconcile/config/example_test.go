package config

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/stretchr/testify/require"
)

// grammar holds, by where they stand, what blocks may hold beside the
// attributes of kinds and the variables of modules.
var grammar = map[string]hcl.BodySchema{
	"":                                 rootSchema,
	"/variable":                        variableSchema,
	"/variable/validation":             conditionSchema,
	"/output":                          outputSchema,
	"/output/precondition":             conditionSchema,
	"/resource":                        {Attributes: metaSchema, Blocks: []hcl.BlockHeaderSchema{{Type: "lifecycle"}}},
	"/resource/lifecycle":              lifecycleSchema,
	"/resource/lifecycle/precondition": conditionSchema,
	"/data/lifecycle/postcondition":    conditionSchema,
	"/exclusive":                       {Attributes: []hcl.AttributeSchema{{Name: "of"}}},
	"/exclusive/lifecycle":             {Attributes: []hcl.AttributeSchema{{Name: "allow"}}},
	"/module":                          callSchema,
	"/moved":                           movedSchema,
	"/removed":                         removedSchema,
	"/removed/lifecycle":               removedLifecycleSchema,
	"/import":                          importSchema,
	"/check":                           checkSchema,
	"/check/assert":                    conditionSchema,
	"/provider":                        providerSchema,
	"/hew":                             hewSchema,
	"/hew/ledger":                      ledgerSchemas["file"],
	"/hew/guards":                      guardsSchema,
}

// unfit are the parts of the grammar that no example should have, and why.
var unfit = map[string]string{
	"/terraform":         "is passed over",
	"/module/version":    "is refused",
	"/module/providers":  "is refused",
	"/provider/base_url": "comes from the environment",
	"/provider/token":    "comes from the environment",
}

// spoken are the kinds that the example is about.
var spoken = []string{"/resource group", "/resource group_member", "/resource group_members", "/resource project",
	"/resource project_hook",
	"/data user", "/data group", "/data projects", "/exclusive project_hook"}

// TestExampleSpeaksTheWholeLanguage looks in examples/company for every block
// and every argument that there is: people learn the language there.
func TestExampleSpeaksTheWholeLanguage(t *testing.T) {
	t.Parallel()
	said := map[string]bool{}
	var hear func(at string, body *hclsyntax.Body)
	hear = func(at string, body *hclsyntax.Body) {
		for name := range body.Attributes {
			said[at+"/"+name] = true
		}
		for _, b := range body.Blocks {
			said[at+"/"+b.Type] = true
			if len(b.Labels) == 2 {
				said["/"+b.Type+" "+b.Labels[0]] = true
			}
			hear(at+"/"+b.Type, b.Body)
		}
	}
	syntaxes := map[string]bool{}
	example := os.DirFS("../../examples/company")
	require.NoError(t, fs.WalkDir(example, ".", func(name string, d fs.DirEntry, err error) error {
		syntaxes[filepath.Ext(name)] = true
		if err != nil || path.Ext(name) != ".hcl" {
			return err
		}
		text, err := fs.ReadFile(example, name)
		require.NoError(t, err)
		file, diags := hclsyntax.ParseConfig(text, name, hcl.InitialPos)
		require.False(t, diags.HasErrors(), "%s", diags)
		hear("", file.Body.(*hclsyntax.Body))
		return nil
	}))
	require.Subset(t, syntaxes, map[string]bool{".hcl": true, ".json": true, ".hclvars": true})

	left := maps.Clone(unfit)
	for at, s := range grammar {
		for _, name := range schemaNames(&s) {
			part := at + "/" + name
			if unfit[part] != "" {
				delete(left, part)
				require.False(t, said[part], "%s %s, and yet the example has it", part, unfit[part])
				continue
			}
			require.True(t, said[part], "the example lacks %s", strings.ReplaceAll(part[1:], "/", " > "))
		}
	}
	require.Empty(t, left, "not in the language")
	for _, part := range spoken {
		require.True(t, said[part], "the example lacks %s", part[1:])
	}
}
