"""gRPC communication with Pulumi's plugins, schema loaders and programs.

Owns the messages (`messages/*.proto`, with the descriptor set that `compile` produces), their classes in a separate pool
(`pool`), and the client and server side of services (`rpc`).  grpcio and protobuf are the extra `pclgen[pulumi]`; only
this package imports them, and only when `rpc.load` is called.
"""
