"""Syntax: PCL text to an untyped tree and back.  The only package that imports lark."""
