(comment) @comment
(numeric_lit) @number
(bool_lit) @boolean
(null_lit) @constant
(string_lit) @string
(quoted_template) @string
(heredoc_template) @string
(template_interpolation) @embedded
(body (block (identifier) @keyword))
(attribute (identifier) @property)
(function_call (identifier) @function)
(variable_expr (identifier) @variable)
(get_attr (identifier) @property)
["if" "else" "endif" "for" "endfor" "in"] @keyword
["{" "}" "[" "]" "(" ")"] @punctuation.bracket
