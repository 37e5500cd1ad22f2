// Package expression evaluates what definitions of pipelines are written in beside YAML: the
// conditions of rules, references to variables, and patterns of paths (ci §1.6, §2.4).
//
// Everything in it comes from users. The size of a condition and of its regular expressions is
// limited, matching takes linear time, and nothing panics.
package expression
