"""The language server.

workspace   documents of the editor over files       ->  the program of a file
analysis    program, schemas                         ->  trees, bound program, names and types by span
features    analysis and offset                      ->  answers, independent of the protocol
wire        answers                                  ->  records of the protocol
server      requests                                 ->  answers, with pygls
"""
