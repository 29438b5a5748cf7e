(block "}" @end) @indent
(object "}" @end) @indent
(tuple "]" @end) @indent
