; commands begin their lines, and white space is part of messages: nothing is ever indented
(sign) @indent.zero

(content) @indent.auto
