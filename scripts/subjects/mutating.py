"""One-line faults in PHP, by paper 1's five categories: what a line of source may be turned into."""

import re

CATEGORIES = ["data store", "logic", "form", "appearance", "link"]

# By category: where on a line, and what stands there instead. Where a pattern has a group, that alone is replaced.
RULES = {
    "data store": [
        # What is written is not, or not as it was meant.
        (r"^\s*((?:@?(?:io_saveFile|io_\w*[wW]rite\w*|file_put_contents|fwrite|unlink|update_\w+|add_\w*meta|delete_\w+|insert_\w+|wp_set_\w+)|[$\w>:()-]+->(?:insert|update|delete|replace|save\w*|execute|exec|store\w*|commit))\(.*\);)\s*$", "/* nothing is stored */"),
        (r"\bSET\s+\w+\s*(=)", "<>"),
        (r"\bWHERE\s+[\w.`$\"{}>-]+\s*(=)\s", "<>"),
        (r"\bORDER BY [\w.`]+ (DESC)\b", "ASC"),
        (r"\bORDER BY [\w.`]+ (ASC)\b", "DESC"),
        (r"^\s*\$(?!lang\b)\w+\[['\"]\w+['\"]\]\s*=\s*([^=>][^;]*);\s*$", "''"),
    ],
    "logic": [
        (r"[^=!<>](===?)[^=>]", "!="),
        (r"(!==?)[^=]", "=="),
        (r"\s(<)\s", ">="),
        (r"\s(>)\s", "<="),
        (r"\s(&&)\s", "||"),
        (r"\s(\|\|)\s", "&&"),
        (r"\breturn\s+(\$\w+);", "null"),
        (r"\b(true)\b", "false"),
        (r"\b(false)\b", "true"),
        (r"\bif\s*\((!)", ""),
        (r"\bif\s*\(()(?:empty|isset|is_\w+|in_array|\$)", "!"),
        (r"\s\+\s(1)\b", "2"),
        (r"\s-\s(1)\b", "0"),
    ],
    "form": [
        (r"<(?:input|select|textarea|button)\b[^>]*?\bname=[\"']()\w", "x"),
        (r"<(?:input)\b[^>]*?\b(type=\"hidden\")", "type=\"text\""),
        (r"<(?:input)\b[^>]*?\b(type=[\"']checkbox[\"'])", "type=\"radio\""),
        (r"<input\b[^>]*?\bvalue=[\"']()[^\"']", "0"),
        (r"<form\b[^>]*?\bmethod=[\"'](post)[\"']", "get"),
        (r"<form\b[^>]*?\baction=[\"']()", "x"),
        (r"(?:addTextInput|addPasswordInput|addCheckbox|addDropdown|addTextarea|setHiddenField|addHidden|addButton)\(\s*['\"]()\w", "x"),
        (r"^\s*(\$\w+->(?:addTextInput|addPasswordInput|addCheckbox|addDropdown|addTextarea|setHiddenField|addButton)\(.*\);)\s*$", "/* no field */"),
        (r"(checked)\(", "'' . strlen("),
    ],
    "appearance": [
        (r"<(?:/)?(h[1-6])\b", "h9"),
        (r"<(strong|em|b|i|small|code)>", "u"),
        (r"(<br\s*/?>)", ""),
        (r"<(li|td|th|dt|dd|p)>", "div"),
        (r">([A-Z][a-z]+[ a-z]*)<", "Wrong"),
        (r"(?:echo|print|\.)\s*['\"](,|, |: | - |\(|\))['\"]", "; "),
        (r"\bclass=[\"']()\w", "no-"),
        (r"\btitle=[\"']()\w", "Wrong "),
        (r"\b(?:__|_e|esc_html__|esc_html_e)\( ?'(\w+)", "Wrong"),
        (r"\$lang\[['\"]()\w", "no_"),
    ],
    "link": [
        (r"<a\b[^>]*?\bhref=[\"']()", "/x"),
        (r"<(?:img|script)\b[^>]*?\bsrc=[\"']()", "/x"),
        (r"[^\w>:]()(?:wl|ml|exportlink|get_permalink|get_edit_post_link|admin_url|home_url|site_url|get_term_link|get_comment_link)\(", "'/x' . "),
        (r"Location: ()", "/x"),
        (r"(?:send_redirect|wp_redirect|wp_safe_redirect)\(\s*()", "'/x' . "),
        (r"[?&](\w+)=['\"]\s*\.", "x"),
        (r"\badd_query_arg\(\s*['\"]()\w", "x"),
    ],
}

COMMENT = re.compile(r"\s*(//|#|/?\*|<!--)")
# What declares is not what runs: a mistake there is one of the compiler's.
DECLARES = re.compile(r"\s*(namespace|use|class|interface|trait|abstract|final|(public|private|protected|static)\s+function|function|require|include|define)\b")


def mutants(line):
    """The faults of one line: the category, and the line with each."""
    if COMMENT.match(line) or DECLARES.match(line):
        return
    for category, rules in RULES.items():
        for pattern, instead in rules:
            found = re.search(pattern, line)
            if not found:
                continue
            begin, end = found.span(1)
            mutant = line[:begin] + instead + line[end:]
            if mutant != line:
                yield category, mutant
