"""What the server answers: functions from an analysis and a place to plain records, one module a topic.

Places are offsets and spans of code points.  No module here knows the protocol.
"""
