"""Atomic changes of folders on disk.

    lock          a folder -> held by one process at a time
    transaction   new contents and deletions, in one or several folders -> all of them or none, by a journal in each
    replacing     one cache file -> replaced atomically, without locks

A process may be killed at any moment. The next process that changes the same folder first completes or reverts the
unfinished transaction, and removes its files.
"""
