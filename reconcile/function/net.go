package function

import (
	"fmt"
	"net"
	"net/netip"

	"github.com/hashicorp/go-cty-funcs/cidr"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

var networks = []entry{
	{"cidrcontains", cidrcontains, "Whether an address, or another network, lies within a network."},
	{"cidrhost", made(cidr.HostFunc), "The address of a host within a network, by its number; negative numbers count from the end."},
	{"cidrnetmask", fallible("prefix", netmask), "The mask of an IPv4 network, as in 255.255.0.0."},
	{"cidrsubnet", made(cidr.SubnetFunc), "A network within a network: its prefix is longer by newbits, and netnum is its number."},
	{"cidrsubnets", made(cidr.SubnetsFunc), "Networks within a network, one after another, each with a prefix longer by so many bits."},
}

// netmask is ours because the library's answers for IPv6, which has no masks.
func netmask(prefix string) (string, error) {
	p, err := netip.ParsePrefix(prefix)
	switch {
	case err != nil:
		return "", fmt.Errorf("%q is not a network as in 10.0.0.0/8", prefix)
	case p.Addr().Is6():
		return "", fmt.Errorf("%s is an IPv6 network, and those have no masks", prefix)
	}
	return net.IP(net.CIDRMask(p.Bits(), 32)).String(), nil
}

var cidrcontains = static(cty.Bool, func(args []cty.Value) (cty.Value, error) {
	outer, err := netip.ParsePrefix(args[0].AsString())
	if err != nil {
		return cty.NilVal, function.NewArgErrorf(0, "%q is not a network as in 10.0.0.0/8", args[0].AsString())
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
		return cty.NilVal, function.NewArgErrorf(1, "one is of IPv4 and the other of IPv6")
	}
	return cty.BoolVal(outer.Bits() <= inner.Bits() && outer.Contains(inner.Addr())), nil
}, param("prefix", cty.String), param("address", cty.String))
