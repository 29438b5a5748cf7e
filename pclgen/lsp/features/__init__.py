"""The answers of the server: functions from an analysis and an offset to plain records, one module per topic.

Offsets and spans are in code points. These modules are independent of the protocol.
"""
