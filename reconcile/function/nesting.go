package function

import (
	"bytes"
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// maxNesting is how deeply brackets, blocks and templates can be nested. Parsers and evaluation
// call themselves for each level, until the stack overflows.
const maxNesting = 500

// CheckNesting returns an error at the first bracket of a file, expression or template, as tokens,
// that is nested too deeply to be parsed, and nil if there is none.
func CheckNesting(tokens hclsyntax.Tokens) *hcl.Diagnostic {
	depth := 0
	for _, t := range tokens {
		switch t.Type {
		case hclsyntax.TokenOParen, hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenTemplateInterp,
			hclsyntax.TokenTemplateControl, hclsyntax.TokenOQuote:
			if depth++; depth > maxNesting {
				return nestingError(t.Range)
			}
		case hclsyntax.TokenCParen, hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenTemplateSeqEnd,
			hclsyntax.TokenCQuote:
			depth--
		}
	}
	return nil
}

// CheckTemplateNesting is CheckNesting for the source of a template.
func CheckTemplateNesting(src []byte, name string) *hcl.Diagnostic {
	tokens, _ := hclsyntax.LexTemplate(src, name, hcl.InitialPos)
	return CheckNesting(tokens)
}

// CheckJSONNesting is CheckNesting for a JSON file. It counts the brackets in a string that is a
// template as well.
func CheckJSONNesting(src []byte, name string) *hcl.Diagnostic {
	outside, inside, quoted := 0, 0, false
	for i := 0; i < len(src); i++ {
		depth := &outside
		if quoted {
			depth = &inside
		}
		switch c := src[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted, inside = !quoted, 0
		case c == '[' || c == '{' || quoted && c == '(':
			*depth++
		case c == ']' || c == '}' || quoted && c == ')':
			*depth = max(*depth-1, 0)
		}
		if *depth > maxNesting && (!quoted || isTemplate(src, i)) {
			line := 1 + bytes.Count(src[:i], []byte("\n"))
			column := i - bytes.LastIndexByte(src[:i], '\n')
			at := hcl.Pos{Line: line, Column: column, Byte: i}
			return nestingError(hcl.Range{Filename: name, Start: at,
				End: hcl.Pos{Line: line, Column: column + 1, Byte: i + 1}})
		}
	}
	return nil
}

// isTemplate reports whether the JSON string that leads to src[i] has a template sequence.
func isTemplate(src []byte, i int) bool {
	start := bytes.LastIndexByte(src[:i], '"')
	text := src[start+1 : i+1]
	return bytes.Contains(text, []byte("${")) || bytes.Contains(text, []byte("%{"))
}

func nestingError(at hcl.Range) *hcl.Diagnostic {
	return &hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Nesting too deep", Subject: &at,
		Detail: fmt.Sprintf("Brackets, blocks and templates can be nested at most %d levels deep. Move inner "+
			"expressions to local values.", maxNesting)}
}
