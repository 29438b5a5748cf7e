"""Changing folders on disk so that nothing is ever seen half done.

    lock          a folder -> held by one process at a time
    journal       what a transaction is about to do in one folder, as a small file
    transaction   new contents and deletions, in one or several folders -> all of them or none
    replacing     one file of a cache -> replaced in one step, without locks

A process may be killed at any moment.  Whoever changes the same folder next finishes what it had decided to do, or takes it
back, before anything else, and removes what it left.
"""
