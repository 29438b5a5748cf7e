"""Speaking with Pulumi's plugins, schema loaders and programs over gRPC.

Owns the messages (`messages/*.proto`, with the descriptor set that `compile` makes of them), their classes in a pool of
their own (`pool`), and what is needed to call a service or to be one (`rpc`).  grpcio and protobuf are the extra
`pclgen[pulumi]`; only this part imports them, and only when `rpc.load` is called.
"""
