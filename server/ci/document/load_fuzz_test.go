package document_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"hew/server/ci/document"
)

// FuzzLoad loads a definition that includes another, with the same one as the parent's artifact,
// as a remote file and as a component. Load must end in time with a document that can be written
// and read again, or with a fault of the definition.
func FuzzLoad(f *testing.F) {
	for _, content := range []string{
		"a: {script: x, extends: .b}\n.b: {variables: {A: 1}}\n",
		"spec: {inputs: {x: {default: 1, type: number, options: [1], regex: a}}}\n---\n" +
			"a: $[[ inputs.x | truncate(0,1) ]]\n",
		".a: &a [x, !reference [.b, c]]\n.b: {c: *a, <<: [*a, {d: 1}]}\n",
		"include: [a.yml, '*.yml', {project: p, file: [a.yml], ref: r}, {local: a.yml, inputs: {x: $V}}]\na: 012\n",
		"include: {remote: 'https://h.test/a.yml', integrity: sha256-AAAA, cache: 1 day}\n? long\n: |\n  text\n",
		"include: {component: 'h.test/g/p/c@~latest', rules: [{if: $V}]}\nyes: 1:30\n",
		"'a':\t1\n--- !reference {a: b}\n... # end\n",
	} {
		f.Add([]byte(content), []byte("include: b.yml\nb: "+content))
	}
	f.Fuzz(func(t *testing.T, content, other []byte) {
		start := time.Now()
		d, err := document.Load(context.Background(), document.Request{
			File: "f.yml", Content: content, Origin: origin, Child: true,
			Files: readFunc(func(_ context.Context, at document.Location) (document.File, error) {
				switch len(at.Path) % 4 {
				case 0:
					return document.File{}, document.ErrNoRef
				case 1:
					return document.File{Content: content, Origin: at.From}, nil
				}
				return document.File{Content: other, Origin: at.From}, nil
			}),
			Variables: map[string]document.Variable{"V": {Value: "v"}, "M": {Value: "masked-value", Masked: true}},
			Rules: func(_ context.Context, rules *document.Node, _ document.Origin) (bool, error) {
				return rules.Kind == document.List, nil
			},
			Limits: document.Limits{Files: 20},
		})
		if took := time.Since(start); took > 10*time.Second {
			t.Fatalf("took %s", took)
		}
		if err != nil {
			var fault *document.Error
			if !errors.As(err, &fault) || fault.Text == "" {
				t.Fatalf("not a fault of the definition: %v", err)
			}
			return
		}
		merged := d.MergedYAML()
		limits := document.Limits{FileBytes: 64 << 20, ParsedBytes: 64 << 20}
		again, err := document.Parse("merged.yml", []byte(merged), limits)
		if err != nil {
			t.Fatalf("%v in %s", err, merged)
		}
		if !again.Equal(d.Root) {
			t.Fatalf("%s\nis not\n%s", shown(d.Root), shown(again))
		}
	})
}
