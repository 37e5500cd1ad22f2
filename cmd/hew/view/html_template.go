package view

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"sync"
)

// webFiles are the page, its style and its script.
//
//go:embed html
var webFiles embed.FS

// webTemplate parses the page once, when it is first needed: parsing takes some milliseconds.
var webTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page.gohtml").ParseFS(webFiles, "html/*.gohtml"))
})

// sealedReport is a report with its style and script and a content security policy that allows
// these two and nothing else: no other script, no request, no form, whatever a value looks like.
type sealedReport struct {
	webReport
	Policy template.HTMLAttr
	Style  template.CSS
	Script template.JS
}

func (r webReport) sealed() sealedReport {
	style, script := embedded("html/report.css"), embedded("html/report.js")
	return sealedReport{r, template.HTMLAttr(`content="default-src 'none'; img-src data:; style-src ` + hashed(style) +
		`; script-src ` + hashed(script) +
		`; base-uri 'none'; form-action 'none'"`), template.CSS(style), template.JS(script)}
}

func embedded(name string) string {
	text, err := webFiles.ReadFile(name)
	if err != nil {
		panic(err) // it is part of the program
	}
	return string(text)
}

// hashed returns the source expression by which a policy allows a text.
func hashed(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
