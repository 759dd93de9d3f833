//! Results to HTML, SVG, Markdown, CSV, JSON and terminal tables.
