package release

import (
	"cmp"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path"
	"runtime/debug"
	"strings"
)

// SBOM is a software bill of materials in CycloneDX 1.6: a binary and each module that is linked
// into it. It is made from the binary alone, and its timestamp is that of the commit, so that two
// builds of a commit have the same SBOM.
type SBOM struct {
	Format       string       `json:"bomFormat"`
	Spec         string       `json:"specVersion"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Timestamp string    `json:"timestamp,omitempty"`
	Component component `json:"component"`
}

type component struct {
	Ref        string     `json:"bom-ref"`
	Type       string     `json:"type"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	Hashes     []hash     `json:"hashes,omitempty"`
	PURL       string     `json:"purl,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref  string   `json:"ref"`
	Upon []string `json:"dependsOn"`
}

// Describe returns the SBOM of a binary, which may be for another system. version is the one that
// was linked into it.
func Describe(file, version string) (*SBOM, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := buildinfo.Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(f, 0, 1<<62)); err != nil {
		return nil, err
	}
	return describe(info, version, hex.EncodeToString(sum.Sum(nil))), nil
}

func describe(info *debug.BuildInfo, version, sha256 string) *SBOM {
	build := FromBuildInfo(info, version)
	program := component{
		Ref: info.Path, Type: "application", Name: path.Base(info.Path), Version: build.Version,
		Hashes: []hash{{"SHA-256", sha256}}, Properties: build.properties(),
	}
	s := &SBOM{
		Format: "CycloneDX", Spec: "1.6", Version: 1,
		Metadata:   metadata{build.CommitDate, program},
		Components: []component{library("stdlib", strings.TrimPrefix(info.GoVersion, "go"), "")},
	}
	for _, m := range info.Deps {
		m = cmp.Or(m.Replace, m)
		s.Components = append(s.Components, library(m.Path, m.Version, m.Sum))
	}
	parts := dependency{Ref: program.Ref}
	for _, c := range s.Components {
		parts.Upon = append(parts.Upon, c.Ref)
	}
	s.Dependencies = []dependency{parts}
	return s
}

// library returns the component of a module. Its go.sum is a property and not a hash, because it is
// not the digest of any file that can be downloaded.
func library(name, version, sum string) component {
	purl := "pkg:golang/" + strings.ToLower(name) + "@" + strings.ReplaceAll(version, "+", "%2B")
	c := component{Ref: purl, Type: "library", Name: name, Version: version, PURL: purl}
	if sum != "" {
		c.Properties = []property{{"go:sum", sum}}
	}
	return c
}

func (b Build) properties() (known []property) {
	for _, p := range []property{
		{"go:platform", b.Platform}, {"vcs:commit", b.Commit}, {"vcs:dirty", fmt.Sprint(b.Dirty)},
	} {
		if p.Value != "" {
			known = append(known, p)
		}
	}
	return known
}
