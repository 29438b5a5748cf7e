"""The language server: what the compiler knows of a program, for editors.

positions   places as the protocol counts them       <-> offsets of a text
workspace   documents of the editor over files       ->  the program that a file belongs to
analysis    program, schemas                         ->  trees, bound program, names and types by place
features    analysis and place                       ->  answers, without a word of the protocol
wire        answers                                  ->  records of the protocol
server      requests                                 ->  answers, with pygls
"""
