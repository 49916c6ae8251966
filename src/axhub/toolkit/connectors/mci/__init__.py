"""MCI systems: how telegrams get there and back, and mocks of those systems (toolkit/B3, toolkit/B4).

`framing` says where a telegram ends, `connection` and `pool` carry one at a time over TCP, `http_bodies` carries them
as bodies; `client` is the adapter of `MciClient`.
"""
