package code

import (
	"cmp"
	"regexp"
	"strings"
)

// versionName matches names with a version: v1.2.3-rc.1+build.
var versionName = regexp.MustCompile(`^(?:.*/)?v?(\d+(?:\.\d+)*)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$`)

// compareVersions orders names of tags by the version in them, as semantic versioning says, and
// names without one before all others.
func compareVersions(a, b string) int {
	va, vb := versionName.FindStringSubmatch(a), versionName.FindStringSubmatch(b)
	switch {
	case va == nil && vb == nil:
		return cmp.Compare(a, b)
	case va == nil:
		return -1
	case vb == nil:
		return 1
	}
	if c := compareParts(va[1], vb[1]); c != 0 {
		return c
	}
	switch {
	case va[2] == vb[2]:
		return cmp.Compare(a, b)
	case va[2] == "": // a release comes after its candidates
		return 1
	case vb[2] == "":
		return -1
	}
	return cmp.Or(compareParts(va[2], vb[2]), cmp.Compare(a, b))
}

// compareParts compares the parts between dots: numbers by value and before words.
func compareParts(a, b string) int {
	as, bs := strings.Split(a, "."), strings.Split(b, ".")
	for i := range min(len(as), len(bs)) {
		if c := comparePart(as[i], bs[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(as), len(bs))
}

func comparePart(a, b string) int {
	na, nb := isNumber(a), isNumber(b)
	switch {
	case na && nb:
		a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) // of any size
	case na:
		return -1
	case nb:
		return 1
	}
	return cmp.Compare(a, b)
}

func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }
