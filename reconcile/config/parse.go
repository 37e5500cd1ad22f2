package config

import (
	"bytes"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/hashicorp/hcl/v2/json"

	"hew/reconcile/file"
	"hew/reconcile/function"
	"hew/schema/pattern"
)

// terraformOnlyFiles matches Terraform's files for tests, queries and stacks.
var terraformOnlyFiles = pattern.Lazy(`\.(tftest|tfmock|tfquery|tfdeploy|tfstack|tfcomponent)\.hcl(\.json)?$`)

// listFiles returns the configuration files and the variables files of a directory, in the
// order in which they are read.
func listFiles(d file.Dir, dir string) (configs, variables []string, diags hcl.Diagnostics) {
	entries, err := d.List(dir)
	if err != nil {
		return nil, nil, hcl.Diagnostics{
			{Severity: hcl.DiagError, Summary: "Unreadable directory", Detail: err.Error()},
		}
	}
	var own, auto, last []string
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		base := strings.TrimSuffix(name, ".json")
		switch {
		case e.IsDir() || strings.HasPrefix(e.Name(), ".") || terraformOnlyFiles().MatchString(e.Name()):
		case path.Ext(base) == ".tofu":
			diags = diags.Append(&hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Unsupported file",
				Detail: fmt.Sprintf("Only OpenTofu reads %s. Rename it to %s.tf.", name,
					strings.TrimSuffix(base, ".tofu"))})
		case overrideFile().MatchString(e.Name()):
			last = append(last, name)
		case path.Ext(base) == ".hcl", path.Ext(base) == ".tf":
			configs = append(configs, name)
		case path.Base(base) == "terraform.tfvars":
			variables = append(variables, name)
		case path.Base(base) == "hew.hclvars":
			own = append(own, name)
		case strings.HasSuffix(base, ".auto.hclvars"), strings.HasSuffix(base, ".auto.tfvars"):
			auto = append(auto, name)
		}
	}
	configs, variables = slices.Concat(configs, last), slices.Concat(variables, own, auto)
	switch {
	case len(configs) > 0:
	case dir != ".":
		diags = diags.Append(&hcl.Diagnostic{Severity: hcl.DiagError, Summary: "No configuration files",
			Detail: fmt.Sprintf("The module directory %s has no *.hcl or *.tf files.", dir)})
	default:
		diags = diags.Append(&hcl.Diagnostic{Severity: hcl.DiagError, Summary: "No configuration files",
			Detail: "The directory has no *.hcl or *.tf files. hew does not treat it as an empty configuration, " +
				"which would delete everything that hew manages. To delete everything, run hew destroy."})
	}
	return configs, variables, diags
}

// parseAll reads and parses files in parallel. The results are in the order of names. Their
// evaluation counts as work.
func parseAll(dir file.Dir, names []string, work *function.Work) ([]*hcl.File, hcl.Diagnostics) {
	files := make([]*hcl.File, len(names))
	found := make([]hcl.Diagnostics, len(names))
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, name := range names {
		wg.Add(1)
		slots <- struct{}{}
		go func() {
			defer func() { <-slots; wg.Done() }()
			src, err := dir.Read(name)
			if err != nil {
				found[i] = hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "Unreadable file", Detail: err.Error()}}
				return
			}
			files[i], found[i] = parse(src, name)
			bounded{work}.rewriteBody(files[i].Body)
		}()
	}
	wg.Wait()
	return files, slices.Concat(found...)
}

// parse parses a file in the syntax of its extension. Line endings and byte order marks
// make no difference, so all checkouts have the same plan.
func parse(src []byte, name string) (*hcl.File, hcl.Diagnostics) {
	src = file.Normalize(src)
	if d := checkNesting(src, name); d != nil {
		return &hcl.File{Body: hcl.EmptyBody(), Bytes: src}, hcl.Diagnostics{d}
	}
	if path.Ext(name) == ".json" {
		f, diags := json.Parse(src, name)
		diags = firstPerPlace(diags)
		if f == nil {
			f = &hcl.File{Body: hcl.EmptyBody(), Bytes: src}
		}
		return f, diags
	}
	f, diags := hclsyntax.ParseConfig(src, name, hcl.InitialPos)
	diags = firstPerPlace(diags)
	for _, d := range diags {
		addAdvice(d, src)
	}
	return f, diags
}

// checkNesting returns an error if a file is nested too deeply to be parsed.
func checkNesting(src []byte, name string) *hcl.Diagnostic {
	if path.Ext(name) == ".json" {
		return function.CheckJSONNesting(src, name)
	}
	return function.CheckFileNesting(src, name)
}

// firstPerPlace returns the first of the errors at each place. It drops everything after
// an unclosed string, because the rest is misread.
func firstPerPlace(diags hcl.Diagnostics) hcl.Diagnostics {
	if i := slices.IndexFunc(diags, func(d *hcl.Diagnostic) bool { return d.Summary == unclosedString }); i >= 0 {
		diags = diags[:i+1]
	}
	return slices.CompactFunc(diags, func(a, b *hcl.Diagnostic) bool { return a.Subject.Start == b.Subject.Start })
}

// bareKey matches a key without quotes that needs them.
var bareKey = pattern.Lazy(
	`(?:^|[{,])[ \t]*((?:[^\s"(){}=:,]+ +[^\s"(){}=:,]|[^\s"(){}=:,]*[/@*.+~])[^"(){}=:,]*?)[ \t]*[=:]`)

const unclosedString = "Invalid multi-line string"

var colon = pattern.Lazy(`^\s*[\w-]+\s*:`)

// addAdvice adds to a syntax error what to write instead, if a regular expression in a
// string or a key without quotes is the likely cause.
func addAdvice(d *hcl.Diagnostic, src []byte) {
	if d.Subject == nil {
		return
	}
	start := d.Subject.Start.Byte
	if start > len(src) {
		return
	}
	line := src[bytes.LastIndexByte(src[:start], '\n')+1:]
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	if d.Summary == unclosedString {
		d.Detail = "A quoted string must end on the same line: the closing quote is missing. For a string of " +
			"several lines, use a heredoc: <<EOT … EOT."
	}
	switch {
	case d.Summary == "Invalid escape sequence":
		bad := string(d.Subject.SliceBytes(src))
		if !strings.HasPrefix(bad, `\`) {
			bad = `\` + bad
		}
		d.Detail += fmt.Sprintf(" For a literal backslash, as in a regular expression, write two: %s.", `\`+bad)
	case strings.Contains(d.Detail, "$${"): // HCL has the advice already
	case bytes.Contains(line, []byte("${")) && !bytes.Contains(line, []byte("$${")):
		d.Detail += " In a string, ${ starts an interpolation. For a literal ${, as in the regular expression " +
			"v${1,3}, write $${."
	case bytes.Contains(line, []byte("%{")) && !bytes.Contains(line, []byte("%%{")):
		d.Detail += " In a string, %{ starts a directive. For a literal %{, write %%{."
	case d.Summary == "Argument or block definition required" && colon().Match(line):
		d.Detail += " Write an equals sign, not a colon, between a name and its value."
	default:
		for _, key := range bareKey().FindAllSubmatchIndex(line, -1) {
			if at := d.Subject.Start.Column - 1; key[2] <= at && at <= key[3] {
				d.Detail += fmt.Sprintf(" Quote keys that contain special characters: %q.",
					bytes.TrimSpace(line[key[2]:key[3]]))
			}
		}
	}
}

// Format returns a native-syntax file in the canonical style. A file that does not parse
// is an error, and is returned as it is.
func Format(src []byte, name string) ([]byte, hcl.Diagnostics) {
	if _, diags := parse(src, name); diags.HasErrors() {
		return src, (&Config{}).seal(diags)
	}
	return hclwrite.Format(file.Normalize(src)), nil
}
