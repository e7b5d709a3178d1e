"""From where somebody comes, as limits count it."""

import ipaddress


def network_of(address: str) -> str:
    """The address; of version 6 the network that one customer has, all of which may be theirs."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address[:60].replace(" ", "")
    if ip.version == 4:
        return str(ip)
    return str(ipaddress.ip_network((ip, 64), strict=False).network_address)
