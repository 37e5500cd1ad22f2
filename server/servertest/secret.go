package servertest

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"hew/schema/catalogue"
)

// Found returns the forms of a secret that a text contains: plain, hexadecimal, or within base64.
func Found(text, secret string) (forms []string) {
	look := func(form, needle string) {
		if strings.Contains(text, needle) {
			forms = append(forms, form)
		}
	}
	look("as it is", secret)
	look("hexadecimal", fmt.Sprintf("%x", secret))
	for before := range 3 {
		whole := base64.RawStdEncoding.EncodeToString([]byte("..."[:before] + secret))
		core := whole[(before*8+5)/6 : (before+len(secret))*8/6]
		look("base64", core)
		look("base64 of URLs", strings.NewReplacer("+", "-", "/", "_").Replace(core))
	}
	return forms
}

// Dump returns the rows of all tables of the server as text.
func (s *Server) Dump(t testing.TB) string {
	t.Helper()
	rows, err := s.Store.DB().Query(t.Context(), `
		select query_to_xml(format('select to_jsonb(t) from %I t', table_name), true, false, '')::text
		from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var dump strings.Builder
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		dump.WriteString(text)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return dump.String()
}

// Filled returns a value for every property of an integration, with $ for secret ones.
func Filled(i catalogue.Integration, neutral bool) map[string]any {
	values := map[string]any{}
	for _, p := range i.Parameters {
		for _, value := range []any{"$", "https://ci.example.com/$", "https://ci.example.com/", "ann@example.com", "1",
			true, float64(1), []any{"a"}} {
			if len(p.Enum) > 0 {
				value = p.Enum[0]
			}
			if normal, err := p.Normal(value); err == nil && p.Check(normal) == nil &&
				(p.Secret || !strings.Contains(fmt.Sprint(value), "$")) {
				values[p.Spelled(neutral)] = value
				break
			}
		}
	}
	return values
}
