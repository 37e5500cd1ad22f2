package api

import (
	"reflect"
	"strings"
)

// DeployScopes are the scopes that a request for a deploy token accepts.
func DeployScopes() []string {
	f, _ := reflect.TypeFor[deployTokenNew]().FieldByName("Scopes")
	return strings.Fields(f.Tag.Get("oneof"))
}
