package function

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// maxNesting is how deeply brackets, blocks and templates can be nested. Parsers and evaluation
// call themselves for each level, until the stack overflows.
const maxNesting = 500

// maxOperators is how many operators can follow each other in an expression and those around it.
// Evaluation calls itself for each.
const maxOperators = 5000

// limits bound what one source can hold.
type limits struct{ nesting, operators int }

var usual = limits{maxNesting, maxOperators}

// CheckFileNesting is CheckNesting for a file in native syntax.
func CheckFileNesting(src []byte, name string) *hcl.Diagnostic {
	if isWithin(src, usual) {
		return nil
	}
	tokens, _ := hclsyntax.LexConfig(src, name, hcl.InitialPos)
	return CheckNesting(tokens)
}

// CheckNesting returns an error at the first bracket of a file, expression or template, as tokens,
// that is nested too deeply to be parsed, or the first operator of too many, and nil if there is
// none.
func CheckNesting(tokens hclsyntax.Tokens) *hcl.Diagnostic { return checkNesting(tokens, usual) }

func checkNesting(tokens hclsyntax.Tokens, most limits) *hcl.Diagnostic {
	if d := checkOperators(tokens, most); d != nil {
		return d
	}
	depth := 0
	for _, t := range tokens {
		switch t.Type {
		case hclsyntax.TokenOParen, hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenTemplateInterp,
			hclsyntax.TokenTemplateControl, hclsyntax.TokenOQuote:
			if depth++; depth > most.nesting {
				return nestingError(t.Range)
			}
		case hclsyntax.TokenCParen, hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenTemplateSeqEnd,
			hclsyntax.TokenCQuote:
			depth--
		}
	}
	return nil
}

// checkOperators returns an error at the first operator of too many. A comma ends an expression, as
// does a line break that is not within brackets.
func checkOperators(tokens hclsyntax.Tokens, most limits) *hcl.Diagnostic {
	type level struct {
		operators int
		lines     bool // line breaks end expressions
	}
	levels, total := []level{{lines: true}}, 0
	for _, t := range tokens {
		top := &levels[len(levels)-1]
		switch t.Type {
		case hclsyntax.TokenOParen, hclsyntax.TokenOBrack, hclsyntax.TokenTemplateInterp,
			hclsyntax.TokenTemplateControl, hclsyntax.TokenOBrace:
			levels = append(levels, level{lines: t.Type == hclsyntax.TokenOBrace})
		case hclsyntax.TokenCParen, hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenTemplateSeqEnd:
			if len(levels) > 1 { // else it is a syntax error
				total, levels = total-top.operators, levels[:len(levels)-1]
			}
		case hclsyntax.TokenComma, hclsyntax.TokenNewline:
			if t.Type == hclsyntax.TokenComma || top.lines {
				total, top.operators = total-top.operators, 0
			}
		case hclsyntax.TokenBang, hclsyntax.TokenMinus, hclsyntax.TokenPlus, hclsyntax.TokenStar,
			hclsyntax.TokenSlash, hclsyntax.TokenPercent, hclsyntax.TokenAnd, hclsyntax.TokenOr,
			hclsyntax.TokenEqualOp, hclsyntax.TokenNotEqual, hclsyntax.TokenLessThan, hclsyntax.TokenLessThanEq,
			hclsyntax.TokenGreaterThan, hclsyntax.TokenGreaterThanEq, hclsyntax.TokenQuestion:
			top.operators++
			if total++; total > most.operators {
				return &hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Expression too long", Subject: &t.Range,
					Detail: fmt.Sprintf("An expression can have at most %d operators. Move parts of it to local "+
						"values.", most.operators)}
			}
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
	outside, inside, quoted, start := 0, 0, false, 0
	for i := 0; i < len(src); i++ {
		depth := &outside
		if quoted {
			depth = &inside
		}
		switch c := src[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			if quoted {
				if d := checkJSONTemplate(src[start:i+1], name, src[:start]); d != nil {
					return d
				}
			}
			quoted, inside, start = !quoted, 0, i
		case c == '[' || c == '{' || quoted && c == '(':
			*depth++
		case c == ']' || c == '}' || quoted && c == ')':
			*depth = max(*depth-1, 0)
		}
		if *depth > maxNesting && (!quoted || isTemplate(src, i)) {
			return nestingError(rangeAt(src[:i], name))
		}
	}
	return nil
}

// checkJSONTemplate checks a JSON string, with its quotes, after the source before it.
func checkJSONTemplate(literal []byte, name string, before []byte) *hcl.Diagnostic {
	var text string
	if len(literal) <= maxOperators || json.Unmarshal(literal, &text) != nil {
		return nil
	}
	tokens, _ := hclsyntax.LexTemplate([]byte(text), name, hcl.InitialPos)
	d := checkOperators(tokens, usual)
	if d != nil {
		at := rangeAt(before, name)
		d.Subject = &at
	}
	return d
}

// rangeAt returns the range of the character after the source before it.
func rangeAt(before []byte, name string) hcl.Range {
	line := 1 + bytes.Count(before, []byte("\n"))
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return hcl.Range{Filename: name, Start: hcl.Pos{Line: line, Column: column, Byte: len(before)},
		End: hcl.Pos{Line: line, Column: column + 1, Byte: len(before) + 1}}
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
