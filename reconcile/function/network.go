package function

import (
	"fmt"
	"net"
	"net/netip"

	"github.com/hashicorp/go-cty-funcs/cidr"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

var networkFuncs = []entry{
	{"cidrcontains", cidrcontains, "Whether a network contains an address or another network."},
	{
		"cidrhost",
		checked(cidr.HostFunc),
		"The address of a host in a network, by its number. Negative numbers count from the end.",
	},
	{"cidrnetmask", stringFunc("prefix", netmask), "The mask of an IPv4 network, such as 255.255.0.0."},
	{
		"cidrsubnet",
		checked(cidr.SubnetFunc),
		"A network within a network. Its prefix is longer by newbits, and netnum is its number.",
	},
	{
		"cidrsubnets",
		checked(cidr.SubnetsFunc),
		"Consecutive networks within a network, each with a prefix that is longer by the given number of bits.",
	},
}

// netmask rejects IPv6, for which the library's function returns a mask.
func netmask(prefix string) (string, error) {
	p, err := netip.ParsePrefix(prefix)
	switch {
	case err != nil:
		return "", fmt.Errorf("%q is not a network such as 10.0.0.0/8", prefix)
	case p.Addr().Is6():
		return "", fmt.Errorf("%s is an IPv6 network, which has no mask", prefix)
	}
	return net.IP(net.CIDRMask(p.Bits(), 32)).String(), nil
}

var cidrcontains = staticFunc(cty.Bool, func(args []cty.Value) (cty.Value, error) {
	outer, err := netip.ParsePrefix(args[0].AsString())
	if err != nil {
		return cty.NilVal, function.NewArgErrorf(0, "%q is not a network such as 10.0.0.0/8", args[0].AsString())
	}
	inner, err := netip.ParsePrefix(args[1].AsString())
	if err != nil {
		addr, err := netip.ParseAddr(args[1].AsString())
		if err != nil {
			return cty.NilVal, function.NewArgErrorf(1, "%q is neither an address nor a network", args[1].AsString())
		}
		inner = netip.PrefixFrom(addr, addr.BitLen())
	}
	if outer.Addr().Is4() != inner.Addr().Is4() {
		return cty.NilVal, function.NewArgErrorf(1, "both must be IPv4 or both IPv6")
	}
	return cty.BoolVal(outer.Bits() <= inner.Bits() && outer.Contains(inner.Addr())), nil
}, param("prefix", cty.String), param("address", cty.String))
