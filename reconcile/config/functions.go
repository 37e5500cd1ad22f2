package config

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2/ext/tryfunc"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// pure is what expressions can call, apart from the functions that read files.
var pure = map[string]function.Function{
	// numbers
	"abs": stdlib.AbsoluteFunc, "ceil": stdlib.CeilFunc, "floor": stdlib.FloorFunc, "log": stdlib.LogFunc, "max": stdlib.MaxFunc,
	"min": stdlib.MinFunc, "parseint": stdlib.ParseIntFunc, "pow": stdlib.PowFunc, "range": rangeFunc, "signum": stdlib.SignumFunc,
	// texts
	"chomp": stdlib.ChompFunc, "format": stdlib.FormatFunc, "formatlist": stdlib.FormatListFunc, "indent": stdlib.IndentFunc,
	"join": stdlib.JoinFunc, "lower": stdlib.LowerFunc, "regex": stdlib.RegexFunc, "regexall": stdlib.RegexAllFunc, "replace": replaceFunc,
	"split": stdlib.SplitFunc, "strrev": stdlib.ReverseFunc, "substr": stdlib.SubstrFunc, "title": stdlib.TitleFunc, "trim": stdlib.TrimFunc,
	"trimprefix": stdlib.TrimPrefixFunc, "trimspace": stdlib.TrimSpaceFunc, "trimsuffix": stdlib.TrimSuffixFunc, "upper": stdlib.UpperFunc,
	"startswith": textTest(strings.HasPrefix), "endswith": textTest(strings.HasSuffix), "strcontains": textTest(strings.Contains),
	"basename": text(path.Base), "dirname": text(path.Dir),
	// collections
	"chunklist": stdlib.ChunklistFunc, "coalesce": stdlib.CoalesceFunc, "coalescelist": stdlib.CoalesceListFunc, "compact": stdlib.CompactFunc,
	"concat": stdlib.ConcatFunc, "contains": stdlib.ContainsFunc, "distinct": stdlib.DistinctFunc, "element": stdlib.ElementFunc,
	"flatten": stdlib.FlattenFunc, "index": stdlib.IndexFunc, "keys": stdlib.KeysFunc, "length": lengthFunc, "lookup": stdlib.LookupFunc,
	"merge": stdlib.MergeFunc, "one": oneFunc, "reverse": stdlib.ReverseListFunc, "setintersection": stdlib.SetIntersectionFunc,
	"setproduct": stdlib.SetProductFunc, "setsubtract": stdlib.SetSubtractFunc, "setunion": stdlib.SetUnionFunc, "slice": stdlib.SliceFunc,
	"sort": stdlib.SortFunc, "values": stdlib.ValuesFunc, "zipmap": stdlib.ZipmapFunc,
	// codes
	"base64decode": fallible(decode64), "base64encode": text(func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }),
	"csvdecode": stdlib.CSVDecodeFunc, "jsondecode": stdlib.JSONDecodeFunc, "jsonencode": stdlib.JSONEncodeFunc,
	"md5":    text(func(s string) string { b := md5.Sum([]byte(s)); return hex.EncodeToString(b[:]) }),
	"sha1":   text(func(s string) string { b := sha1.Sum([]byte(s)); return hex.EncodeToString(b[:]) }),
	"sha256": text(func(s string) string { b := sha256.Sum256([]byte(s)); return hex.EncodeToString(b[:]) }),
	"sha512": text(func(s string) string { b := sha512.Sum512([]byte(s)); return hex.EncodeToString(b[:]) }),
	// dates
	"formatdate": stdlib.FormatDateFunc, "timeadd": stdlib.TimeAddFunc,
	// types and errors
	"can": tryfunc.CanFunc, "convert": typeexpr.ConvertFunc, "try": tryfunc.TryFunc, "tobool": stdlib.MakeToFunc(cty.Bool),
	"tolist": stdlib.MakeToFunc(cty.List(cty.DynamicPseudoType)), "tomap": stdlib.MakeToFunc(cty.Map(cty.DynamicPseudoType)),
	"tonumber": stdlib.MakeToFunc(cty.Number), "toset": stdlib.MakeToFunc(cty.Set(cty.DynamicPseudoType)), "tostring": stdlib.MakeToFunc(cty.String),
	"sensitive": sensitiveFunc(true), "nonsensitive": sensitiveFunc(false),
}

// functions is pure and what reads files.
func functions(dir directory, now time.Time) map[string]function.Function {
	all := maps.Clone(pure)
	all["file"] = fallible(func(name string) (string, error) { return readText(dir, name) })
	all["fileexists"] = existsFunc(dir)
	inner := maps.Clone(all) // a template cannot call templatefile: it might never end
	all["plantimestamp"] = timestampFunc(now)
	all["templatefile"] = templateFunc(dir, inner)
	return all
}

func functionNames(m map[string]function.Function) []string { return slices.Sorted(maps.Keys(m)) }
