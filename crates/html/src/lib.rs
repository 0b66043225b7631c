//! One fast tokenizer pass over HTML; forms, links, fields and titles out of it.
